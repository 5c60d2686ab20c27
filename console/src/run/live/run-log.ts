import type { FlowgateClient, RunEvent } from 'flowgate-client/remote';
import { rebased, type InheritedEvent } from '../log/fold-events.js';

/** What is read of a log at once. The newest are shown first; what is older is read on demand. */
export const MOST_EVENTS = 20_000;
const PAGE = 1_000;
/** Browsers open six connections to an origin, and the stream and others need some. */
const AT_ONCE = 3;
/** Forks of forks of forks are shown from so far back. */
const MOST_ANCESTORS = 8;

type Reader = Pick<FlowgateClient, 'getEvents'>;

interface RunAddress {
  readonly workflowId: string;
  readonly runId: string;
}

export interface LoadedLog {
  readonly events: readonly RunEvent[];
  /** Those with which the log begins, where there is a gap after them: they say what the run is. Part of `events`. */
  readonly beginning: readonly RunEvent[];
  /** The events before `firstSeq` were not read; null: there are none. */
  readonly firstSeq: number | null;
  /** What a fork inherited, numbered as its own log numbers it. */
  readonly inherited: readonly InheritedEvent[];
}

/**
 * The newest events of a run, as many as may be shown, with the first of all, which says what the run is. `onBeginning` is given that
 * first one as soon as it is there: a long log is still being read then.
 */
export async function loadLog(
  client: Reader,
  address: RunAddress,
  signal: AbortSignal,
  onBeginning: (events: readonly RunEvent[]) => void = () => undefined,
): Promise<LoadedLog> {
  const { workflowId, runId } = address;
  const [newest, { items: beginning }] = await Promise.all([
    client.getEvents(workflowId, runId, { tail: 1, view: 'log', signal }),
    client.getEvents(workflowId, runId, { limit: 2, view: 'log', signal }),
  ]);
  onBeginning(beginning);
  const lastSeq = newest.items.at(-1)?.seq ?? 0;
  const afterSeq = Math.max(0, lastSeq - MOST_EVENTS);
  const read = await eventsBetween(client, address, afterSeq, lastSeq, signal);
  const missing = beginning.filter(({ seq }) => seq <= afterSeq);
  const events = [...missing, ...read];
  const inherited = await inheritedBy(client, address, events, signal);
  return { events, beginning: missing, firstSeq: afterSeq === 0 ? null : afterSeq + 1, inherited };
}

/** The events after one and up to another: a few pages at a time, since each is a way there and back. */
export async function eventsBetween(
  client: Reader,
  address: RunAddress,
  afterSeq: number,
  lastSeq: number,
  signal: AbortSignal,
): Promise<readonly RunEvent[]> {
  const parts: (readonly RunEvent[])[] = [];
  let next = afterSeq;
  const readOn = async (): Promise<void> => {
    while (next < lastSeq) {
      const from = next;
      next = Math.min(lastSeq, from + PAGE);
      const index = (from - afterSeq) / PAGE;
      parts[index] = await eventsOf(client, address, from, next, signal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readOn));
  return parts.flat();
}

/** Usually one page, more where their events are large. */
async function eventsOf(
  client: Reader,
  { workflowId, runId }: RunAddress,
  afterSeq: number,
  lastSeq: number,
  signal: AbortSignal,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for (let after: number | null = afterSeq; after !== null && after < lastSeq;) {
    const options = { afterSeq: after, limit: PAGE, view: 'log', signal } as const;
    const page = await client.getEvents(workflowId, runId, options);
    events.push(...page.items.filter(({ seq }) => seq <= lastSeq));
    after = page.next;
  }
  return events;
}

async function inheritedBy(
  client: Reader,
  { workflowId }: RunAddress,
  events: readonly RunEvent[],
  signal: AbortSignal,
  ancestors = 0,
): Promise<readonly InheritedEvent[]> {
  const fork = events.slice(0, 2).find(({ type }) => type === 'run-forked');
  const { fromRunId, fromSeq } = fork?.data ?? {};
  if (typeof fromRunId !== 'string' || typeof fromSeq !== 'number' || fromSeq === 0) return [];
  const source = { workflowId, runId: fromRunId };
  const afterSeq = Math.max(0, fromSeq - MOST_EVENTS);
  const own = await eventsBetween(client, source, afterSeq, fromSeq, signal);
  const before =
    ancestors < MOST_ANCESTORS ? await inheritedBy(client, source, own, signal, ancestors + 1) : [];
  return rebased([...before, ...own], fromSeq);
}
