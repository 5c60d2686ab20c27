import { apply, draftOf } from '../evolve.js';
import { eventKind, isEngineEvent } from '../log/event-kinds.js';
import type { RunEvent } from '../log/event.js';
import type { Draft, RunState } from '../state/state.js';
import { statusOf } from '../state/status.js';
import type { RunStatus } from '../../vocabulary.js';

/** The run came to a pause with the event of that seq, or continued with it. */
export interface StatusChange {
  readonly seq: number;
  readonly status: 'paused' | 'running';
}

/**
 * Finds out from a log with which events a run came to a pause, and with which it continued.
 *
 * 1. Only the status between two turns counts: within a turn, one thread may have ended a unit and the next not begun its
 *    own. A turn is complete where the next event came from outside, or where the log ends (`settle`).
 * 2. A change is told with the last event of its turn, and follows from the log alone, whoever reads it and whenever.
 * 3. A pause is told again where something moved that may have paused the run, and it is paused: it came to another pause
 *    at once. Who observes runs is notified of that one, too.
 */
export class StatusFold {
  readonly changes: StatusChange[] = [];
  private draft: Draft;
  private status: RunStatus;
  private mayHavePaused = false;

  /** `state`: the run after a complete turn, or before its first event. */
  constructor(state: RunState) {
    this.draft = draftOf(state);
    this.status = statusOf(state);
  }

  /** The state after the last event that was taken; it must not be changed, and changes with the next one. */
  get state(): RunState {
    return this.draft;
  }

  /** Takes the next event of the log. `baseState` as in `evolve`. */
  take(event: RunEvent, baseState?: RunState): void {
    if (!isEngineEvent(event, this.draft)) this.settle();
    apply(this.draft, event, baseState);
    this.mayHavePaused ||= eventKind(event.type).facts.mayPause;
  }

  /** The turn of the last event is complete. */
  settle(): void {
    const status = statusOf(this.draft);
    const { seq } = this.draft;
    if (status === 'paused' && (this.status !== 'paused' || this.mayHavePaused))
      this.changes.push({ seq, status });
    else if (status === 'running' && this.status === 'paused') this.changes.push({ seq, status });
    this.status = status;
    this.mayHavePaused = false;
  }

  /** Goes on with an equal state, which others hold anyway. */
  share(state: RunState): void {
    if (state.seq !== this.draft.seq) throw new Error('Only the state after the same event is equal.');
    this.draft = draftOf(state);
  }
}
