/** How long work goes on before others have their turn. */
const TURN_MS = 4;

/** Those who wait for their next turn: one of them each time that the loop comes round. */
const waiting: (() => void)[] = [];

/**
 * Resolves when everybody else has had a turn of the event loop. However many do long work, only one of them has a turn
 * between two looks at sockets and timers.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(serve);
  });
}

function serve(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(serve);
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
