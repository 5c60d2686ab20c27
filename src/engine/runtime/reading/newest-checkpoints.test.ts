import fc from 'fast-check';
import { inSequence } from '../../../../test/support/engine.js';
import { compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { isCheckpoint } from '../../core/log/checkpoint.js';
import type { RunEvent } from '../../core/log/event.js';
import { newestCheckpoints } from './newest-checkpoints.js';

const [finished, scheduled] = eventsOf(['unit-finished', 'unit-scheduled']);

/** One of each type, out of the log of a run. */
function eventsOf(types: readonly string[]): RunEvent[] {
  const { log } = new SimulatedRun(
    compileText(inSequence('w', [{ id: 'a', uses: 'builtin.set', config: { values: { n: 1 } } }])),
  );
  return types.map((type) => ({ ...log[0]!, type }) as RunEvent);
}

/** A log of checkpoints and other events, each with so many characters. */
function logOf(events: readonly { readonly isCheckpoint: boolean; readonly chars: number }[]): RunEvent[] {
  return events.map(({ isCheckpoint: is, chars }, index) => ({
    ...(is ? finished! : scheduled!),
    seq: index + 1,
    padding: 'x'.repeat(chars),
  }));
}

/** Returns at most so many characters at once, as the store does. */
function reader(log: readonly RunEvent[], maxChars: number) {
  const reads: { readonly events: number; readonly chars: number }[] = [];
  const read = async (afterSeq: number, limit: number): Promise<readonly RunEvent[]> => {
    const page: RunEvent[] = [];
    let chars = 0;
    for (const event of log.slice(afterSeq, afterSeq + limit)) {
      const { length } = (event as unknown as { readonly padding: string }).padding;
      if (page.length > 0 && chars + length > maxChars) break;
      page.push(event);
      chars += length;
    }
    reads.push({ events: page.length, chars });
    return page;
  };
  return { read, reads };
}

async function allPages(log: readonly RunEvent[], limit: number, maxChars = 1_048_576) {
  const { read, reads } = reader(log, maxChars);
  const pages: number[][] = [];
  for (let before: number | null = log.length + 1; before !== null;) {
    const page: Awaited<ReturnType<typeof newestCheckpoints<number>>> = await newestCheckpoints(
      read,
      before,
      limit,
      ({ seq }) => seq,
    );
    pages.push([...page.items]);
    expect(page.next === null || page.next < before).toBe(true);
    before = page.next;
  }
  return { pages, reads };
}

const event = fc.record({
  isCheckpoint: fc.boolean(),
  chars: fc.oneof({ weight: 20, arbitrary: fc.nat(50) }, { weight: 1, arbitrary: fc.nat(700_000) }),
});

it('the pages together hold every checkpoint once, newest first', async () => {
  const logs = fc.array(event, { maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(
      logs,
      fc.integer({ min: 1, max: 20 }),
      fc.nat(100_000),
      async (shape, limit, maxChars) => {
        const log = logOf(shape);
        const { pages } = await allPages(log, limit, maxChars);
        const expected = log.filter(isCheckpoint).map(({ seq }) => seq);
        expect(pages.flat()).toEqual(expected.toReversed());
        expect(pages.every(({ length }) => length <= limit)).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

it('a page of a log of large events is short, and gets further all the same', async () => {
  const log = logOf(Array.from({ length: 30 }, () => ({ isCheckpoint: true, chars: 3_000_000 })));
  const { pages, reads } = await allPages(log, 1_000);
  expect(pages.flat()).toHaveLength(30);
  expect(pages.length).toBeGreaterThan(5);
  // Nothing but the first window of each page is read for nothing.
  expect(reads.length).toBeLessThanOrEqual(30 + pages.length);
});

it('one request looks at a bounded part of a log without checkpoints', async () => {
  const log = logOf(Array.from({ length: 60_000 }, () => ({ isCheckpoint: false, chars: 0 })));
  const { pages, reads } = await allPages(log, 10);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat()).toEqual([]);
  expect(reads.length / pages.length).toBeLessThan(40);
});

it('a run without events has none', async () => {
  expect(await newestCheckpoints(reader([], 1).read, 1, 10, ({ seq }) => seq)).toEqual({
    items: [],
    next: null,
  });
});
