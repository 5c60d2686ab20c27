/** What callers did who each wait for an answer before they ask again. */
export interface ClosedLoop {
  readonly done: number;
  readonly seconds: number;
  /** Of those, answered within the first second. */
  readonly doneInFirstSecond: number;
}

export async function closedLoop(
  send: () => Promise<void>,
  callers: number,
  seconds: number,
): Promise<ClosedLoop> {
  const from = performance.now();
  let [done, doneInFirstSecond] = [0, 0];
  const caller = async (): Promise<void> => {
    while (performance.now() - from < seconds * 1_000) {
      await send();
      done += 1;
      if (performance.now() - from < 1_000) doneInFirstSecond += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { done, doneInFirstSecond, seconds: (performance.now() - from) / 1_000 };
}
