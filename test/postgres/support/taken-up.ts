import { until } from '../../support/eventually.js';
import type { ReplicaLedger } from './replica-ledger.js';

const TO_BE_BUSY_WITHIN_MS = 20_000;
/** How long it is waited beyond what is allowed: then the test says by how much it was too long. */
const PATIENCE_MS = 30_000;

/** Resolves with the executions that these replicas have in flight, as soon as each of them has some. */
export async function inFlightAtEach(
  replicas: ReplicaLedger,
  names: readonly string[],
): Promise<readonly string[]> {
  const isBusy = (name: string): boolean => replicas.inFlightAt([name]).length > 0;
  await until(() => names.every(isBusy), 'each of the victims has a call in flight', TO_BE_BUSY_WITHIN_MS);
  return replicas.inFlightAt(names);
}

/**
 * How long after the instant the last of the executions was called again, in ms. A result that was stored in the last moment is not
 * asked for again: it shows in what follows.
 */
export async function allCalledAgainAfter(
  replicas: ReplicaLedger,
  keys: readonly string[],
  instant: number,
): Promise<number> {
  const isSettled = (key: string): boolean =>
    replicas.calledAgainAfter(key, instant) !== null || replicas.ledger.get(key)?.visibleCall !== null;
  await until(() => keys.every(isSettled), 'everything in flight at the victim is called again', PATIENCE_MS);
  return Math.max(0, ...keys.map((key) => replicas.calledAgainAfter(key, instant) ?? 0));
}
