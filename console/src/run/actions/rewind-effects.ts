import type { Execution, RunPicture } from '../log/picture.js';

/** What going back to a point would do again, and which decisions from before it would still count. */
export interface RewindEffects {
  /** Ids of units that were called after the point, in order, each once. */
  readonly calledAgain: readonly string[];
  /** Gates that were decided before it. */
  readonly decisions: readonly Execution[];
}

/** `seq`: the last event that stays as it is. */
export function rewindEffects({ executions }: RunPicture, seq: number): RewindEffects {
  const counted = executions.filter(({ isSuperseded }) => !isSuperseded);
  const called = counted.filter(
    ({ kind, id, endSeq }) => kind === 'unit' && (id > seq || (endSeq ?? Infinity) > seq),
  );
  const decisions = counted.filter(
    ({ gate, endSeq }) => gate !== undefined && gate.approved !== null && (endSeq ?? Infinity) <= seq,
  );
  return { calledAgain: [...new Set(called.map(({ unitId }) => unitId))], decisions };
}
