import type { PublicEvent, PublicEventPage } from '../public-events.js';
import type { Runs } from './runs.js';

export interface FollowedRun {
  readonly workflowId: string;
  readonly runId: string;
  /** `seq` of the last event that is known; 0: none. */
  readonly afterSeq: number;
  /** Ends the events, without an error. */
  readonly signal: AbortSignal;
}

/**
 * What a run does until it is over or paused. One that is paused already ends with what it did until then: a decision may
 * leave it paused, at another gate, and nothing tells that. Throws an `UnknownRunError`.
 */
export async function* eventsUntilStop(
  runs: Pick<Runs, 'status' | 'events' | 'stream'>,
  run: FollowedRun,
): AsyncGenerator<PublicEvent, void> {
  const isPaused = async (): Promise<boolean> => (await runs.status(run)) === 'paused';
  if (await isPaused()) {
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
    if (tellsPause(event) && (await isPaused())) return;
  }
}

/** Whether the run came to a pause with the event. A pause of one branch, while others move, is none. */
function tellsPause({ data, change }: Pick<PublicEvent, 'data' | 'change'>): boolean {
  return (change?.data ?? data)['status'] === 'paused';
}
