/** How long work goes on before others have their turn. */
const TURN_MS = 4;
/**
 * How often the loop comes round between two turns. What others ask for needs several rounds each (a run: its request, its
 * appends, its answer), and would else meet a turn in every one of them.
 */
const LOOPS_FOR_OTHERS = 8;

/** Those who wait for their next turn: one of them at a time. */
const waiting: (() => void)[] = [];

/**
 * Resolves when everybody else has had turns of the event loop. However many do long work, only one of them has a turn
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
 * Does work that says where it may be interrupted, by yielding there: at once where it takes no longer than a turn, as
 * most does, else turn by turn, with everybody else's turn in between.
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
