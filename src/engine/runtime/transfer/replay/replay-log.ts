import { apply, draftOf } from '../../../core/evolve.js';
import { isEngineEvent } from '../../../core/log/event-kinds.js';
import type { RunEvent } from '../../../core/log/event.js';
import type { Plan } from '../../../core/plan/plan.js';
import { INITIAL_STATE, type RunState } from '../../../core/state/state.js';
import type { Steps } from '../../../core/steps.js';
import { ReplayMeter } from './replay-meter.js';
import { compareWithReplayed, saidBy, whatIsLeft, type Said } from './replayed-event.js';

/** A point in the log where today's engine would do something else than the log says. */
export interface ReplayDifference {
  /** The seq of the recorded event; null: the log ends there. */
  readonly seq: number | null;
  /** Null: the log ends there, and today's engine would not. */
  readonly recorded: Said | null;
  /** Null: today's engine would do nothing there. */
  readonly today: Said | null;
}

export interface ReplayResult {
  /** The number of engine events, which were compared. */
  readonly compared: number;
  /** The first differences, in the order of the log. */
  readonly differences: readonly ReplayDifference[];
  /** The number of all differences. */
  readonly different: number;
}

const MOST_REPORTED = 100;

/**
 * Goes through a log with today's engine. The state is folded from what was recorded throughout, so that one difference does
 * not bring about others that are none; events from outside are taken as they are.
 */
export function* replaySteps(log: {
  readonly events: readonly RunEvent[];
  readonly plan: Plan;
  readonly source: RunState | null;
}): Steps<ReplayResult> {
  const { plan, source } = log;
  const events = log.events.filter(({ type }) => type !== 'run-imported');
  const baseStates = new Map<number, RunState | undefined>();
  for (const event of events) if (event.type === 'rewound') baseStates.set(event.toSeq, undefined);
  const draft = draftOf(INITIAL_STATE);
  const meter = new ReplayMeter(Infinity);
  const differences: ReplayDifference[] = [];
  let compared = 0;
  let different = 0;
  const differ = (difference: ReplayDifference): void => {
    different += 1;
    if (different <= MOST_REPORTED) differences.push(difference);
  };
  for (const event of events) {
    yield;
    if (isEngineEvent(event, draft)) {
      compared += 1;
      const found = yield* compareWithReplayed(plan, draft, event, meter);
      if (!found.isSame) differ({ seq: event.seq, recorded: saidBy(event), today: found.replayed });
    }
    const baseState =
      event.type === 'rewound' ? baseStates.get(event.toSeq) : event.type === 'run-forked' ? source : null;
    apply(draft, event, baseState ?? undefined);
    if (baseStates.has(event.seq)) baseStates.set(event.seq, draftOf(draft));
  }
  const left = draft.phase === 'live' ? whatIsLeft(plan, draft, meter) : null;
  if (left !== null) differ({ seq: null, recorded: null, today: left });
  return { compared, differences, different };
}
