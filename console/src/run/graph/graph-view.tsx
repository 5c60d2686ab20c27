import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { STATE_WORDS } from '../../ui/state/states.js';
import type { FlowTree } from '../flow/flow-node.js';
import { begunPaths, partStates, withFailure } from '../log/part-states.js';
import type { RunPicture } from '../log/picture.js';
import { draw, type Camera } from './canvas.js';
import { layOut } from './dag-layouts.js';
import { fittingZoom, isSeen, revealing, unitAt, zoomedTo } from './drawing/sight.js';
import { onOtherColours } from './drawing/token-colours.js';
import { emphasisOf, NO_EMPHASIS, NO_STATES } from './emphasis.js';
import type { Box, LaidUnit } from './flow-layout.js';
import { GraphPlane } from './graph-plane.js';
import { nearestUnit, type Direction } from './nearest-unit.js';

const ZOOMS = [0.1, 0.15, 0.25, 0.35, 0.5, 0.7, 0.85, 1, 1.25];
const USUAL = ZOOMS.indexOf(1);
/** Below that nothing of a box can be read or hit: units are drawn. */
const NEAR_FROM_ZOOM = 0.5;
/** Beyond so many parts in view they are drawn, too: each is half a dozen elements. */
const MOST_NEAR = 120;
const NO_CAMERA: Camera = { left: 0, top: 0, width: 0, height: 0, zoom: 1 };

interface Props {
  readonly tree: FlowTree;
  /** Null: the tree is of a definition, which no run goes through. */
  readonly picture: RunPicture | null;
  readonly now: number;
  readonly selected: string | null;
  /** Where the run failed; null: it did not, or nobody knows. */
  readonly failedPath: string | null;
  readonly onSelect: (path: string) => void;
}

/**
 * The flow of a run, or of a definition. Only the one who looks moves it; arrow keys walk it. From far away, units are drawn and not made
 * of elements.
 */
export function GraphView({ tree, picture, now, selected, failedPath, onSelect }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const ground = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const zoomAt = useSignal(USUAL);
  const camera = useSignal(NO_CAMERA);
  const focused = useSignal<string | null>(null);
  const laying = useMemo(() => layOut(tree), [tree]);
  useEffect(() => () => laying.end(), [laying]);
  const layout = laying.layout.value;
  const zoom = ZOOMS[zoomAt.value] ?? 1;
  // What is narrower than the view stands in its middle.
  const offset = Math.max(0, (camera.value.width - layout.width * zoom) / 2);
  const states = useMemo(
    () => (picture === null ? NO_STATES : withFailure(partStates(picture, now), failedPath)),
    [picture, now, failedPath],
  );
  const emphasis = useMemo(
    () => (picture === null ? NO_EMPHASIS : emphasisOf(tree, picture, states)),
    [tree, picture, states],
  );
  const begun = useMemo(() => begunPaths(states), [states]);

  const look = (): void => {
    const { current } = scroller;
    if (current === null) return;
    const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = current;
    camera.value = { left, top, width, height, zoom: ZOOMS[zoomAt.peek()] ?? 1 };
  };
  const bringIntoView = (box: Box): void => {
    look();
    scroller.current?.scrollTo(revealing(box, camera.peek()));
    look();
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  // A run opens at what failed; from then on nobody moves the view but the one who looks.
  useEffect(() => {
    const first = layout.units.find(({ node }) => node.path === selected);
    if (first === undefined) look();
    else bringIntoView(first);
  }, [tree]);
  // The ground has its new size by now: what was in the middle of the view stays there.
  useLayoutEffect(() => {
    if (camera.peek().width === 0 || camera.peek().zoom === zoom) return;
    scroller.current?.scrollTo(zoomedTo(zoom, camera.peek()));
    look();
  }, [zoom]);

  const tabStop = focused.value ?? selected ?? layout.units[0]?.node.path ?? null;
  const sight = camera.value;
  const inView = useMemo(() => {
    const isInView = (box: Box): boolean => isSeen(box, sight);
    const frames = layout.frames.filter((frame) => isInView({ ...frame, height: 32 }));
    return { frames, labels: layout.labels.filter(isInView), units: layout.units.filter(isInView) };
  }, [layout, sight]);
  const isFar =
    zoom < NEAR_FROM_ZOOM || inView.frames.length + inView.labels.length + inView.units.length > MOST_NEAR;
  const near = useMemo(() => {
    // What has the focus is an element, wherever it is.
    const atTabStop = layout.units.filter(({ node }) => node.path === tabStop);
    if (isFar) return { frames: [], labels: [], units: atTabStop };
    return {
      ...inView,
      units: [...inView.units, ...atTabStop.filter((unit) => !inView.units.includes(unit))],
    };
  }, [inView, layout, isFar, tabStop]);

  const show = (): void => {
    if (canvas.current === null) return;
    const farUnits = isFar
      ? inView.units.map((unit) => ({
          unit,
          state: picture === null ? null : (states.get(unit.node.path)?.state ?? ('pending' as const)),
          isSelected: unit.node.path === selected,
          isDim: emphasis.untaken.has(unit.node.path),
        }))
      : [];
    const looks = {
      isDim: (path: string) => emphasis.untaken.has(path),
      isTaken: (path: string) => begun.has(path),
    };
    draw(canvas.current, layout, { ...sight, left: sight.left - offset }, looks, farUnits);
  };
  useLayoutEffect(show, [layout, sight, offset, inView, isFar, emphasis, states, selected]);
  useEffect(() => onOtherColours(() => void (camera.value = { ...camera.peek() })), []);

  const onKeyDown = (event: KeyboardEvent): void => {
    const from = layout.units.find(({ node }) => node.path === tabStop);
    if (from === undefined || !event.key.startsWith('Arrow')) return;
    event.preventDefault();
    const next = nearestUnit(layout.units, from, event.key as Direction);
    if (next === null) return;
    focused.value = next.node.path;
    bringIntoView(next);
    requestAnimationFrame(() => focusBox(scroller.current, next.node.path));
  };
  /** What is drawn is found by where it is. */
  const drawnUnitAt = ({ clientX, clientY }: MouseEvent): LaidUnit | null => {
    if (!isFar || ground.current === null) return null;
    const { left, top } = ground.current.getBoundingClientRect();
    return unitAt(inView.units, { x: (clientX - left - offset) / zoom, y: (clientY - top) / zoom }, zoom);
  };
  const onClick = (event: MouseEvent): void => {
    const path = pathOf(event.target) ?? drawnUnitAt(event)?.node.path;
    if (path === undefined) return;
    focused.value = path;
    onSelect(path);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const { current } = ground;
    const unit = pathOf(event.target) === undefined ? drawnUnitAt(event) : null;
    const title =
      unit === null
        ? ''
        : `${unit.node.unitId ?? ''}: ${STATE_WORDS[states.get(unit.node.path)?.state ?? 'pending']}`;
    if (current !== null && current.title !== title) current.title = title;
  };
  return (
    <div class="graph">
      <div class="graph-tools">
        <button
          type="button"
          onClick={() => (zoomAt.value = fittingZoom(ZOOMS, layout, camera.peek()))}
          title="As small as it takes to see all of it"
        >
          All
        </button>
        <button
          type="button"
          aria-label="Smaller"
          disabled={zoomAt.value === 0}
          onClick={() => (zoomAt.value -= 1)}
        >
          −
        </button>
        <span class="small muted" aria-live="polite">
          {Math.round(zoom * 100)} %
        </span>
        <button
          type="button"
          aria-label="Larger"
          disabled={zoomAt.value === ZOOMS.length - 1}
          onClick={() => (zoomAt.value += 1)}
        >
          +
        </button>
      </div>
      <div
        ref={scroller}
        class="graph-scroller"
        onScroll={look}
        onKeyDown={onKeyDown}
        role="group"
        aria-label={picture === null ? 'The flow' : 'The flow of the run'}
      >
        <canvas
          ref={canvas}
          style={{
            width: `${sight.width}px`,
            height: `${sight.height}px`,
            marginBottom: `${-sight.height}px`,
          }}
          aria-hidden="true"
        />
        <div
          ref={ground}
          class="graph-ground"
          style={{ width: `${layout.width * zoom}px`, height: `${layout.height * zoom}px` }}
          onClick={onClick}
          onPointerMove={onPointerMove}
          onFocusIn={({ target }) => (focused.value = pathOf(target) ?? focused.peek())}
        >
          <div
            class="graph-plane"
            style={{ left: `${offset}px`, transform: `scale(${zoom})`, '--thin': `${1 / zoom}px` }}
          >
            <GraphPlane
              near={near}
              tree={tree}
              hasStates={picture !== null}
              states={states}
              emphasis={emphasis}
              selected={selected}
              tabStop={tabStop}
            />
          </div>
        </div>
      </div>
    </div>
  );
}

/** Of the unit whose box this is, or is in. */
function pathOf(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('[data-path]')?.dataset['path'];
}

function focusBox(scroller: HTMLElement | null, path: string): void {
  const boxes = scroller?.querySelectorAll<HTMLElement>('[data-path]') ?? [];
  for (const box of boxes) if (box.dataset['path'] === path) box.focus({ preventScroll: true });
}
