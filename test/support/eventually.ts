import { setTimeout as delay } from 'node:timers/promises';

/** Asks until the answer is as wished, for what happens on its own time; a loaded machine takes its time, too. */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  isAsWished: (value: T) => boolean,
  { withinMs = 15_000, everyMs = 5, what = 'as wished' } = {},
): Promise<T> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (isAsWished(value)) return value;
    if (Date.now() > giveUpAt) throw new Error(`It did not come to be ${what} within ${withinMs} ms.`);
    await delay(everyMs);
  }
}

/** Asks until it is so; `what` completes "It did not come to be that …". */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  withinMs?: number,
): Promise<void> {
  await eventually(isSo, Boolean, { what: `that ${what}`, ...(withinMs !== undefined && { withinMs }) });
}
