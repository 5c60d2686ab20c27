import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { PlainText } from '../../ui/text/plain-text.js';
import type { FlowTree } from '../flow/flow-node.js';
import { partStates, withFailure } from '../log/part-states.js';
import type { RunPicture } from '../log/picture.js';
import { draw, type Camera } from './canvas.js';
import { layOut } from './dag-layouts.js';
import { emphasisOf, NO_EMPHASIS, NO_STATES } from './emphasis.js';
import type { Box, FlowLayout } from './flow-layout.js';
import { nearestUnit, type Direction } from './nearest-unit.js';
import { UnitBox } from './unit-box.js';

const ZOOMS = [0.35, 0.5, 0.7, 0.85, 1, 1.25];
const USUAL = 4;
/** What lies so far outside of the view is there as well, so that scrolling shows no holes. */
const MARGIN = 200;
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

/** The flow of a run, or of a definition. Only the one who looks moves it; arrow keys walk it. */
export function GraphView({ tree, picture, now, selected, failedPath, onSelect }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const zoomAt = useSignal(USUAL);
  const camera = useSignal(NO_CAMERA);
  const focused = useSignal<string | null>(null);
  const laying = useMemo(() => layOut(tree), [tree]);
  useEffect(() => () => laying.end(), [laying]);
  const layout = laying.layout.value as FlowLayout;
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

  const look = (): void => {
    const { current } = scroller;
    if (current === null) return;
    const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = current;
    camera.value = { left, top, width, height, zoom: ZOOMS[zoomAt.peek()] ?? 1 };
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  // A run opens at what failed; from then on nobody moves the view but the one who looks.
  useEffect(() => {
    const first = layout.units.find(({ node }) => node.path === selected);
    if (first !== undefined) reveal(scroller.current, first, zoom);
    look();
  }, [tree]);
  useSignalEffect(() => {
    void zoomAt.value;
    look();
  });
  useEffect(() => {
    if (canvas.current === null) return;
    const isTaken = (path: string): boolean => states.has(path) || isBegun(states, path);
    draw(
      canvas.current,
      layout,
      { ...camera.value, left: camera.value.left - offset },
      { isDim: (path) => emphasis.untaken.has(path), isTaken },
    );
  }, [layout, camera.value, emphasis, states]);
  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const again = (): void => void (camera.value = { ...camera.peek() });
    dark.addEventListener('change', again);
    return () => dark.removeEventListener('change', again);
  }, []);

  const tabStop = focused.value ?? selected ?? layout.units[0]?.node.path ?? null;
  const isSeen = (box: Box): boolean => seen(box, camera.value);
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = layout.units.find(({ node }) => node.path === tabStop);
    if (from === undefined || !event.key.startsWith('Arrow')) return;
    event.preventDefault();
    const next = nearestUnit(layout.units, from, event.key as Direction);
    if (next === null) return;
    focused.value = next.node.path;
    reveal(scroller.current, next, zoom);
    look();
    requestAnimationFrame(() => focusBox(scroller.current, next.node.path));
  };
  return (
    <div class="graph">
      <div class="graph-tools">
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
            width: `${camera.value.width}px`,
            height: `${camera.value.height}px`,
            marginBottom: `${-camera.value.height}px`,
          }}
          aria-hidden="true"
        />
        <div
          class="graph-ground"
          style={{ width: `${layout.width * zoom}px`, height: `${layout.height * zoom}px` }}
        >
          <div class="graph-plane" style={{ left: `${offset}px`, transform: `scale(${zoom})` }}>
            {layout.frames
              .filter((frame) => isSeen({ ...frame, height: 32 }))
              .map(({ node, x, y, width }) => (
                <span
                  key={node.path}
                  class={emphasis.untaken.has(node.path) ? 'frame-name dim' : 'frame-name'}
                  style={{ left: `${x + 12}px`, top: `${y + 8}px`, maxWidth: `${width - 24}px` }}
                >
                  <strong>{node.type}</strong> {node.note === null ? null : <PlainText text={node.note} />}{' '}
                  {emphasis.progress.get(node.path)}
                </span>
              ))}
            {layout.labels.filter(isSeen).map(({ path, text, x, y, width }) => (
              <span
                key={path}
                class={emphasis.untaken.has(path) ? 'part-name dim' : 'part-name'}
                style={{ left: `${x}px`, top: `${y}px`, width: `${width}px` }}
                title={text}
              >
                <PlainText text={text} />
              </span>
            ))}
            {layout.units
              .filter((unit) => isSeen(unit) || unit.node.path === tabStop)
              .map((unit) => {
                const { path, unitId } = unit.node;
                return (
                  <UnitBox
                    key={path}
                    unit={unit}
                    uses={tree.units.get(unitId ?? '')?.uses ?? ''}
                    hasState={picture !== null}
                    summary={states.get(path)}
                    isSelected={path === selected}
                    isDim={emphasis.untaken.has(path)}
                    isTabStop={path === tabStop}
                    mark={emphasis.marks.get(path) ?? null}
                    onSelect={() => onSelect(path)}
                    onFocus={() => (focused.value = path)}
                  />
                );
              })}
          </div>
        </div>
      </div>
    </div>
  );
}

function isBegun(states: ReadonlyMap<string, unknown>, path: string): boolean {
  for (const known of states.keys()) if (known.startsWith(`${path}/`)) return true;
  return false;
}

function seen({ x, y, width, height }: Box, { left, top, width: wide, height: high, zoom }: Camera): boolean {
  return (
    x * zoom < left + wide + MARGIN &&
    (x + width) * zoom > left - MARGIN &&
    y * zoom < top + high + MARGIN &&
    (y + height) * zoom > top - MARGIN
  );
}

/** Scrolls as little as it takes to have the box in view, with something around it. */
function reveal(scroller: HTMLElement | null, { x, y, width, height }: Box, zoom: number): void {
  if (scroller === null) return;
  const around = 32;
  const [left, right] = [x * zoom - around, (x + width) * zoom + around];
  const [top, bottom] = [y * zoom - around, (y + height) * zoom + around];
  if (left < scroller.scrollLeft) scroller.scrollLeft = left;
  else if (right > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = right - scroller.clientWidth;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (bottom > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = bottom - scroller.clientHeight;
}

function focusBox(scroller: HTMLElement | null, path: string): void {
  const boxes = scroller?.querySelectorAll<HTMLElement>('[data-path]') ?? [];
  for (const box of boxes) if (box.dataset['path'] === path) box.focus({ preventScroll: true });
}
