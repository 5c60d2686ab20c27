/** How long a slice of work lasts before it yields to the event loop. */
const TURN_MS = 4;
/**
 * How many rounds of the event loop pass between two slices. Other requests need several rounds each (a run: its request,
 * its appends, its response), and would else meet a slice in every one of them.
 */
const LOOPS_FOR_OTHERS = 8;

/** The work that waits for its next slice: one at a time. */
const waiting: (() => void)[] = [];

/**
 * Resolves after rounds of the event loop for everything else. However much long work there is, only one slice of it is done
 * between several looks at sockets and timers.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) serveAfter(LOOPS_FOR_OTHERS);
  });
}

function serveAfter(loops: number): void {
  setImmediate(() => {
    if (loops > 1) return serveAfter(loops - 1);
    waiting.shift()?.();
    if (waiting.length > 0) serveAfter(LOOPS_FOR_OTHERS);
  });
}

/**
 * Does work that yields where it may be interrupted: at once where it takes no longer than a slice, as most does, else slice
 * by slice, with rounds of the event loop in between.
 */
export function inTurns<Result>(work: Iterator<void, Result, void>): Result | Promise<Result> {
  const step = oneTurn(work);
  return step.done === true ? step.value : furtherTurns(work);
}

async function furtherTurns<Result>(work: Iterator<void, Result, void>): Promise<Result> {
  for (;;) {
    await nextTurn();
    const step = oneTurn(work);
    if (step.done === true) return step.value;
  }
}

function oneTurn<Result>(work: Iterator<void, Result, void>): IteratorResult<void, Result> {
  const end = performance.now() + TURN_MS;
  for (;;) {
    const step = work.next();
    if (step.done === true || performance.now() >= end) return step;
  }
}
