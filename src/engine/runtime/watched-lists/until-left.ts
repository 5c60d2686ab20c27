/**
 * The work's result, or a rejection with the signal's reason as soon as that fires: then `onLeft` is called, and the outcome
 * of the work is ignored. Leaves no listener behind.
 */
export function untilLeft<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  onLeft?: () => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      onLeft?.();
      reject(signal.reason as Error);
    };
    const stay = (): void => signal.removeEventListener('abort', leave);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(stay);
  });
}
