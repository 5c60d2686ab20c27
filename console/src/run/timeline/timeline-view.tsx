import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { StateShape } from '../../ui/state/state-mark.js';
import { STATE_WORDS } from '../../ui/state/states.js';
import { durationText } from '../../ui/text/durations.js';
import { PlainText } from '../../ui/text/plain-text.js';
import { WindowedRows } from '../../ui/windowed-rows.js';
import { stateAt } from '../log/part-states.js';
import type { Execution, RunPicture } from '../log/picture.js';
import { Bars } from './bars.js';
import { timeAxis, type Span, type TimeAxis } from './time-axis.js';
import { timelineRows, type TimelineRow } from './timeline-rows.js';

const ROW = 32;

interface Props {
  readonly picture: RunPicture;
  readonly now: number;
  readonly selected: Execution | null;
  readonly onSelect: (execution: Execution) => void;
}

/** When what was done, by scope. Arrow keys walk its rows; left and right close and open scopes. */
export function TimelineView({ picture, now, selected, onSelect }: Props) {
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const focused = useSignal<string | null>(null);
  const rows = useMemo(
    () => timelineRows(picture, { closed: closed.value, opened: opened.value }),
    [picture, closed.value, opened.value],
  );
  const end = picture.endedAt ?? now;
  const axis = useMemo(() => axisOf(picture, end), [picture, end]);
  const selectedKey = selected === null ? null : `c${selected.id}`;
  const at = rows.findIndex(({ key }) => key === (focused.value ?? selectedKey));
  const tabStop = Math.max(0, at);
  const step = (to: number): void => {
    const row = rows[to];
    if (row === undefined) return;
    focused.value = row.key;
    requestAnimationFrame(() => document.getElementById(rowId(row))?.focus({ preventScroll: true }));
  };
  const act = (row: TimelineRow): void => {
    focused.value = row.key;
    if (row.kind === 'call') onSelect(row.execution);
    else if (row.kind === 'more') opened.value = new Set([...opened.value, row.key]);
    else if (row.kind === 'scope') closed.value = toggled(closed.value, row.key);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[tabStop];
    const isHandled = row !== undefined && handle(event.key, row);
    if (isHandled) event.preventDefault();
  };
  const handle = (key: string, row: TimelineRow): boolean => {
    switch (key) {
      case 'ArrowDown':
      case 'ArrowUp':
        step(tabStop + (key === 'ArrowDown' ? 1 : -1));
        return true;
      case 'Home':
      case 'End':
        step(key === 'Home' ? 0 : rows.length - 1);
        return true;
      case 'ArrowLeft':
      case 'ArrowRight':
        if (row.kind !== 'scope' || row.isOpen === (key === 'ArrowRight')) return false;
        act(row);
        return true;
      case 'Enter':
      case ' ':
        act(row);
        return true;
      default:
        return false;
    }
  };
  if (rows.length === 0) return <p class="muted">Nothing was called yet.</p>;
  return (
    <div class="timeline">
      <AxisHead axis={axis} />
      <WindowedRows
        rows={rows}
        rowHeight={ROW}
        role="treegrid"
        label="What was done, and when"
        revealed={at < 0 ? null : at}
        columns={2}
        onKeyDown={onKeyDown}
      >
        {(row, index) => (
          <div
            key={row.key}
            id={rowId(row)}
            role="row"
            aria-rowindex={index + 1}
            aria-level={row.depth + 1}
            aria-expanded={row.kind === 'scope' ? row.isOpen : undefined}
            aria-selected={row.key === selectedKey}
            tabIndex={index === tabStop ? 0 : -1}
            class={classesOf(row, selectedKey)}
            onClick={() => act(row)}
            onFocus={() => (focused.value = row.key)}
          >
            <div
              role="gridcell"
              class="timeline-name"
              style={{ paddingInlineStart: `${8 + Math.min(row.depth, 8) * 16}px` }}
            >
              <RowName row={row} now={now} />
            </div>
            <div role="gridcell" class="timeline-bars">
              {row.kind === 'call' ? <Bars execution={row.execution} axis={axis} now={now} /> : null}
              <span class="timeline-length">{lengthOf(row, now)}</span>
            </div>
          </div>
        )}
      </WindowedRows>
    </div>
  );
}

function RowName({ row, now }: { readonly row: TimelineRow; readonly now: number }) {
  switch (row.kind) {
    case 'section':
      return <strong>{row.label}</strong>;
    case 'more':
      return <span class="muted">Show {row.label}</span>;
    case 'scope':
      return (
        <>
          <span aria-hidden="true">{row.isOpen ? '▾' : '▸'}</span> <PlainText text={row.label} />{' '}
          <span class="muted small">{row.count}</span>
        </>
      );
    case 'call': {
      const { execution, undoes } = row;
      const state = stateAt(execution, now);
      return (
        <>
          <StateShape state={state} />
          <span class="timeline-unit">
            <PlainText text={execution.unitId} />
            {undoes === null ? null : (
              <span class="muted">
                {' '}
                undoes <PlainText text={undoes.unitId} />
              </span>
            )}
          </span>
          <span class="unseen">{STATE_WORDS[state]}</span>
          {execution.attempts.length > 1 ? (
            <span class="muted small">×{execution.attempts.length}</span>
          ) : null}
        </>
      );
    }
  }
}

/** What was folded is said where it was. */
function AxisHead({ axis }: { readonly axis: TimeAxis }) {
  return (
    <div class="axis-head" aria-hidden="true">
      <span />
      <span class="axis">
        {axis.stretches.map(({ from, to, x, width, isFolded }) => (
          <span
            key={from}
            class={isFolded ? 'fold' : ''}
            style={{ left: `${x * 100}%`, width: `${width * 100}%` }}
            title={isFolded ? `Nothing moved for ${durationText(to - from)}` : undefined}
          >
            {isFolded ? '⋯' : width > 0.12 ? durationText(to - from) : ''}
          </span>
        ))}
      </span>
    </div>
  );
}

function axisOf({ executions, startedAt, lastAt }: RunPicture, end: number): TimeAxis {
  const moving = executions.flatMap((execution): readonly Span[] => {
    const { kind, startedAt: from, endedAt } = execution;
    const isWait = kind === 'gate' || kind === 'timer';
    if (!isWait) return [{ from, to: endedAt ?? end }];
    return [{ from, to: from }, ...(endedAt === null ? [] : [{ from: endedAt, to: endedAt }])];
  });
  const first = executions.reduce((least, one) => Math.min(least, one.startedAt), startedAt ?? lastAt);
  return timeAxis(moving, first, end);
}

function classesOf(row: TimelineRow, selectedKey: string | null): string {
  const isPale = row.kind === 'call' && (row.execution.isInherited || row.execution.isSuperseded);
  return `timeline-row ${row.kind}${row.key === selectedKey ? ' selected' : ''}${isPale ? ' inherited' : ''}`;
}

function lengthOf(row: TimelineRow, now: number): string {
  if (row.kind === 'scope') return durationText((row.to ?? now) - row.from);
  if (row.kind !== 'call' || row.execution.kind === 'set' || row.execution.kind === 'skip') return '';
  return durationText((row.execution.endedAt ?? now) - row.execution.startedAt);
}

/** Keys of scopes hold what an id may not. */
function rowId({ key }: TimelineRow): string {
  return `row-${encodeURIComponent(key)}`;
}

function toggled(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const changed = new Set(set);
  if (!changed.delete(key)) changed.add(key);
  return changed;
}
