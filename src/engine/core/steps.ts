/** Work with places where it may be interrupted; whoever does it decides whether it is. */
export type Steps<Result> = Generator<void, Result, void>;

/** Does it without an interruption. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
