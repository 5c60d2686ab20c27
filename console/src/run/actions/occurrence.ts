import type { FlowgateClient, RunEvent } from 'flowgate-client/remote';
import { eventsBetween } from '../live/run-log.js';
import type { Execution } from '../log/picture.js';

/** The events by which the service counts how often a run came to a unit. */
export const SCHEDULING: ReadonlySet<string> = new Set([
  'unit-scheduled',
  'gate-opened',
  'timer-set',
  'child-started',
  'state-written',
]);

/** So many events are read before they are counted and forgotten. */
const AT_A_TIME = 20_000;

interface KnownLog {
  readonly workflowId: string;
  readonly runId: string;
  /** In the view `log`. Those before `firstSeq` are not all of them. */
  readonly events: readonly RunEvent[];
  readonly firstSeq: number | null;
}

/** How often the run had come to the unit, the given call included: `occurrence` of a fork. What is not known of the log is read. */
export async function occurrenceOf(
  client: Pick<FlowgateClient, 'getEvents'>,
  { workflowId, runId, events, firstSeq }: KnownLog,
  { unitId, id }: Pick<Execution, 'unitId' | 'id'>,
  signal: AbortSignal,
): Promise<number> {
  const count = (some: readonly RunEvent[]): number =>
    some.filter(({ type, seq, data }) => SCHEDULING.has(type) && seq <= id && data['unitId'] === unitId)
      .length;
  const first = firstSeq ?? 1;
  let occurrence = count(events.filter(({ seq }) => seq >= first));
  for (let after = 0; after < first - 1; after += AT_A_TIME) {
    const last = Math.min(first - 1, after + AT_A_TIME);
    occurrence += count(await eventsBetween(client, { workflowId, runId }, after, last, signal));
  }
  return occurrence;
}
