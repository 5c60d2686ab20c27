import type { Worker } from 'node:worker_threads';

/** A thread that yields to others computes less than time passes; this many times its limit are enough even so. */
const PATIENCE = 3;
/** The shortest time between two looks at what the thread has computed. */
const LEAST_MS = 50;

/**
 * Calls `over` once: when the thread has computed for `limitMs` from now on, or when three times as long has passed. Where
 * Node does not tell what a thread computes (before 22.20), or the thread cannot be asked, wall-clock time decides.
 *
 * @returns a function that ends the limit
 */
export function limitComputing(worker: Worker, limitMs: number, over: () => void): () => void {
  const begun = computedMs(worker);
  let isOver = false;
  const end = (): void => {
    isOver = true;
    clearTimeout(look);
    clearTimeout(last);
  };
  const fire = (): void => {
    if (isOver) return;
    end();
    over();
  };
  const check = async (): Promise<void> => {
    const [before, now] = await Promise.all([begun, computedMs(worker)]);
    if (isOver || before === null || now === null) return;
    const left = limitMs - (now - before);
    if (left <= 0) fire();
    else look = setTimeout(check, Math.max(left, LEAST_MS));
  };
  let look = setTimeout(check, limitMs);
  const last = setTimeout(fire, PATIENCE * limitMs);
  return end;
}

/** What the thread has computed since it began; null once it has ended. */
async function computedMs(worker: Worker): Promise<number | null> {
  // A thread of an older Node does not have it.
  const { cpuUsage } = worker as Partial<Pick<Worker, 'cpuUsage'>>;
  if (cpuUsage === undefined) return performance.now();
  return cpuUsage.call(worker).then(
    ({ user, system }) => (user + system) / 1_000,
    () => null,
  );
}
