import { longWork, type Yielder } from './yielder.js';

/** How long work goes on before others have the event loop. */
const SLICE_MS = 4;

/** The slice of time that long work is in: `if (slice.isOver) await slice.next();` between two of its steps. */
export class Slice {
  private endsAt: number;

  /** Begins now; `isOver`: the work waits before its first step. */
  constructor(
    private readonly yielder: Yielder = longWork,
    { isOver = false }: { readonly isOver?: boolean } = {},
  ) {
    this.endsAt = isOver ? 0 : performance.now() + SLICE_MS;
  }

  get isOver(): boolean {
    return performance.now() >= this.endsAt;
  }

  /** Resolves when the next one has begun. */
  async next(): Promise<void> {
    await this.yielder.next();
    this.endsAt = performance.now() + SLICE_MS;
  }
}

/**
 * Does work that says where it may be interrupted, by yielding there: at once where it takes no longer than a slice, as most
 * does, else slice by slice.
 */
export function inSlices<Result>(work: Iterator<void, Result, void>): Result | Promise<Result> {
  const slice = new Slice();
  const step = stepsOf(work, slice);
  return step.done === true ? step.value : inFurtherSlices(work, slice);
}

async function inFurtherSlices<Result>(work: Iterator<void, Result, void>, slice: Slice): Promise<Result> {
  for (;;) {
    await slice.next();
    const step = stepsOf(work, slice);
    if (step.done === true) return step.value;
  }
}

/** The last step of one slice. */
function stepsOf<Result>(work: Iterator<void, Result, void>, slice: Slice): IteratorResult<void, Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true || slice.isOver) return step;
  }
}

/** Makes one thing of each item, sequentially: what a store answers at once leaves the loop to nobody by itself. */
export async function eachInSlices<Item, Result>(
  items: readonly Item[],
  make: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const slice = new Slice();
  const results: Result[] = [];
  for (const item of items) {
    results.push(await make(item));
    if (slice.isOver) await slice.next();
  }
  return results;
}
