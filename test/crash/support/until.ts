import { setTimeout as delay } from 'node:timers/promises';

const WITHIN_MS = 30_000;

/** Polls until the condition is true; `what` completes "It did not come to be that …". */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  withinMs = WITHIN_MS,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`It did not come to be that ${what}.`);
    await delay(20);
  }
}
