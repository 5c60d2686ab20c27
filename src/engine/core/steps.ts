/** Work that yields wherever it may be interrupted; its driver decides whether it is. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs the steps to their end without an interruption. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
