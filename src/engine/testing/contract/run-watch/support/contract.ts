import type { RunWatch } from '../../../../ports/run-watch.js';

/** What a contract file sees: the watch of the test that runs. */
export interface RunWatchHarness {
  readonly watch: RunWatch;
}

export interface WatchUnderTest {
  readonly watch: RunWatch;
  dispose(): Promise<void>;
}

export const RUN = '01980000-0000-7000-8000-000000000001';
export const OTHER_RUN = '01980000-0000-7000-8000-000000000002';

/** Never fires. */
export function forEver(): AbortSignal {
  return new AbortController().signal;
}

/** Whether the promise has resolved once everything that was under way has happened. */
export async function isResolved(promise: Promise<void>): Promise<boolean> {
  let isSo = false;
  void promise.then(() => {
    isSo = true;
  });
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
  return isSo;
}
