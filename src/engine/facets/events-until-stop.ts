import type { PublicEvent, PublicEventPage } from '../public-events.js';
import type { Runs } from './runs.js';

export interface FollowedRun {
  readonly workflowId: string;
  readonly runId: string;
  /** `seq` of the last event that is known; 0: none. */
  readonly afterSeq: number;
  /** Ends the events, without an error. */
  readonly signal: AbortSignal;
  /** Whether a gate of the run, or of one that it waits for, is open: then the events end there, too. Absent: they do not. */
  readonly isAtGate?: () => Promise<boolean>;
}

/**
 * What a run does until it is over or paused. One that is paused already ends with what it did until then: a decision may
 * leave it paused, at another gate, and nothing tells that; the same of one that is at a gate where that counts. Throws an `UnknownRunError`.
 */
export async function* eventsUntilStop(
  runs: Pick<Runs, 'status' | 'events' | 'stream'>,
  run: FollowedRun,
): AsyncGenerator<PublicEvent, void> {
  const isMet = async (): Promise<boolean> =>
    (await runs.status(run)) === 'paused' || (await run.isAtGate?.()) === true;
  if (await isMet()) {
    for (let afterSeq: number | null = run.afterSeq; afterSeq !== null;) {
      const page: PublicEventPage = await runs.events({ ...run, afterSeq });
      yield* page.items;
      afterSeq = page.next;
    }
    return;
  }
  for await (const event of runs.stream(run)) {
    yield event;
    // A pause of the past may have been lifted since.
    if ((tellsPause(event) || (run.isAtGate !== undefined && mayBeGate(event))) && (await isMet())) return;
  }
}

/** Whether the run came to a pause with the event. A pause of one branch, while others move, is none. */
function tellsPause({ data, change }: Pick<PublicEvent, 'data' | 'change'>): boolean {
  return (change?.data ?? data)['status'] === 'paused';
}

/** A gate opened, or a child run paused, as it may at one. */
function mayBeGate({ type }: PublicEvent): boolean {
  return type === 'gate.opened' || type === 'run.paused';
}
