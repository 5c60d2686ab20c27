import { FlowgateApiError, type FlowgateClient, type ListChange } from 'flowgate-client/remote';
import { gateKey, type GateCard } from '../gate-cards.js';
import { howClosed } from './how-closed.js';
import { listedGate, mayNotReadRuns } from './listed-gate.js';
import { wholeGate } from './whole-gate.js';

/** Of its JSON. A larger payload is shown on demand, as one of a list. */
const MOST_PAYLOAD_CHARS = 65_536;

type Reader = Pick<
  FlowgateClient,
  'listGates' | 'listRuns' | 'getEvent' | 'getEvents' | 'eachEvent' | 'watchRun'
>;
type Changes = AsyncGenerator<ListChange<GateCard>, void, void>;

interface Address {
  /** Of an address that names it. */
  readonly workflowId?: string | undefined;
  readonly runId: string;
  readonly gateId: number;
}

/**
 * The one gate of an address, and what becomes of it, as a list of one or of none. It is read of its run: a list of gates has the newest
 * alone. Waits until it is left where nothing changes any more.
 */
export async function* watchGate(client: Reader, wanted: Address, signal: AbortSignal): Changes {
  // An address can hold anything.
  if (!Number.isSafeInteger(wanted.gateId) || wanted.gateId < 1) return yield* kept([], signal);
  try {
    yield* watchedInItsRun(client, wanted, signal);
  } catch (error) {
    if (!mayNotReadRuns(error)) throw error;
    const card = await listedCard(client, wanted, signal);
    yield { type: 'snapshot', items: card === null ? [] : [card], next: null };
  }
}

async function* watchedInItsRun(client: Reader, { runId, gateId }: Address, signal: AbortSignal): Changes {
  const { items } = await client.listRuns({ idPrefix: runId, limit: 1, signal });
  const run = items.find((item) => item.runId === runId);
  if (run === undefined) return yield* kept([], signal);
  const { workflowId, definitionHash } = run;
  const address = { workflowId, runId, gateId };
  const [asked, newest] = await Promise.all([
    orNullIfUnknown(wholeGate(client, address, signal)),
    client.getEvents(workflowId, runId, { tail: 1, signal }),
  ]);
  if (asked === null) return yield* kept([], signal);
  const isLarge = JSON.stringify(asked.payload).length > MOST_PAYLOAD_CHARS;
  const shown = isLarge ? ({ ...asked, payload: null, payloadCut: true } as const) : asked;
  const gate = { ...shown, ...address, definitionHash };
  const card = async (): Promise<GateCard> => ({
    key: gateKey(gate),
    gate,
    closed: await howClosed(client, address, signal),
  });
  const first = await card();
  if (first.closed?.how === 'decided') return yield* kept([first], signal);
  yield { type: 'snapshot', items: [first], next: null };
  const afterSeq = newest.items.at(-1)?.seq ?? gateId;
  for await (const { data } of client.watchRun(workflowId, runId, { afterSeq, signal }))
    if (data['gateId'] === gateId) yield { type: 'upsert', item: await card() };
  // The run is over.
  return yield* kept([await card()], signal);
}

async function listedCard(client: Reader, wanted: Address, signal: AbortSignal): Promise<GateCard | null> {
  const key = gateKey(wanted);
  const open = await listedGate(client, wanted, 'open', signal);
  if (open !== null) return { key, gate: open, closed: null };
  const decided = await listedGate(client, wanted, 'decided', signal);
  if (decided?.decision === undefined) return null;
  return { key, gate: decided, closed: { how: 'decided', decision: decided.decision } };
}

/** What does not change any more. */
async function* kept(items: readonly GateCard[], signal: AbortSignal): Changes {
  yield { type: 'snapshot', items, next: null };
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function orNullIfUnknown<T>(reading: Promise<T | null>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FlowgateApiError && error.status === 404) return null;
    throw error;
  }
}
