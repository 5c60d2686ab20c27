import type { FlowgateClient, RunEvent } from 'flowgate-client/remote';
import { rebased } from '../log/fold-events.js';

/** What is read of a log at once. The newest are shown first; what is older is read on demand. */
export const MOST_EVENTS = 20_000;
const PAGE = 1_000;
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
  readonly inherited: readonly RunEvent[];
}

/** The newest events of a run, as many as may be shown, with the first of all, which says what the run is. */
export async function loadLog(client: Reader, address: RunAddress, signal: AbortSignal): Promise<LoadedLog> {
  const { workflowId, runId } = address;
  const newest = await client.getEvents(workflowId, runId, { tail: 1, view: 'log', signal });
  const lastSeq = newest.items.at(-1)?.seq ?? 0;
  const afterSeq = Math.max(0, lastSeq - MOST_EVENTS);
  const events = await eventsBetween(client, address, afterSeq, lastSeq, signal);
  const beginning =
    afterSeq === 0
      ? []
      : (await client.getEvents(workflowId, runId, { limit: 2, view: 'log', signal })).items;
  const inherited = await inheritedBy(client, address, [...beginning, ...events], signal);
  return {
    events: [...beginning, ...events],
    beginning,
    firstSeq: afterSeq === 0 ? null : afterSeq + 1,
    inherited,
  };
}

/** The events after one and up to another. */
export async function eventsBetween(
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
): Promise<readonly RunEvent[]> {
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
