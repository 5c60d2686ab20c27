import type { Execution } from '../log/picture.js';
import type { TimeAxis } from './time-axis.js';

interface Props {
  readonly execution: Execution;
  readonly axis: TimeAxis;
  readonly now: number;
}

interface Bar {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
}

/** When a call was made, what it waited for, and when it was tried again. */
export function Bars({ execution, axis, now }: Props) {
  return (
    <span class="lapses">
      {barsOf(execution, now).map(({ from, to, kind }) => {
        const x = axis.xOf(from);
        const width = axis.xOf(to) - x;
        const style = { left: `${x * 100}%`, width: `max(3px, ${width * 100}%)` };
        return <span key={`${from}${kind}`} class={`lapse ${kind}`} style={style} />;
      })}
    </span>
  );
}

function barsOf({ kind, state, startedAt, endedAt, attempts }: Execution, now: number): readonly Bar[] {
  const to = endedAt ?? Math.max(now, startedAt);
  if (kind !== 'unit' || attempts.length === 0) {
    const isWait = kind === 'gate' || kind === 'timer' || kind === 'child';
    return [{ from: startedAt, to, kind: isWait ? `wait is-${state}` : `is-${state}` }];
  }
  return attempts.flatMap((attempt, index): readonly Bar[] => {
    const before = attempts[index - 1]?.endedAt ?? null;
    const begun = Math.min(attempt.startedAt, to);
    const ended = Math.max(begun, attempt.endedAt ?? to);
    const backOff = before !== null && begun > before ? [{ from: before, to: begun, kind: 'back-off' }] : [];
    if (attempt.startedAt > to) return backOff;
    const failed = attempt.error !== null ? 'is-failed' : `is-${state === 'retrying' ? 'running' : state}`;
    return [...backOff, { from: begun, to: ended, kind: failed }];
  });
}
