import fc from 'fast-check';
import type { Page, PublicEvent } from '../../engine/index.js';
import { eventsThatFit, shortPage } from './short-pages.js';

const MOST = 65_536;
const lengths = fc.array(fc.oneof(fc.nat(100), fc.nat(30_000), fc.nat(90_000)), { maxLength: 60 });

/** A list whose cursors are numbers. */
function listOf(all: readonly string[]) {
  return (start: number) =>
    async (limit: number): Promise<Page<string>> => {
      const end = Math.min(all.length, start + limit);
      return { items: all.slice(start, end), next: end === all.length ? null : String(end) };
    };
}

it('the pages together hold everything once, in order; none is longer than an agent reads, but of one item', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, fc.integer({ min: 1, max: 50 }), async (of, limit) => {
      const all = of.map((length, index) => `${index} `.padEnd(length, 'x'));
      const read: string[] = [];
      for (let start: number | null = 0; start !== null;) {
        const { page, items }: { page: Page<string>; items: readonly string[] } = await shortPage<
          Page<string>,
          string,
          string
        >(limit, listOf(all)(start), (item) => item);
        const chars = items.reduce((sum, item) => sum + JSON.stringify(item).length, 0);
        expect(items.length <= 1 || chars <= MOST).toBe(true);
        read.push(...items);
        start = page.next === null ? null : Number(page.next);
      }
      expect(read).toEqual(all);
    }),
  );
});

it('events are left out at the far end', () => {
  const event = (seq: number, chars: number): PublicEvent => ({
    runId: 'r',
    workflowId: 'w',
    seq,
    at: 0,
    type: 'x',
    data: { text: 'x'.repeat(chars) },
  });
  const seqs = (events: readonly PublicEvent[]) => events.map(({ seq }) => seq);
  const all = [event(1, 30_000), event(2, 30_000), event(3, 30_000)];
  expect(seqs(eventsThatFit(all, false))).toEqual([1, 2]);
  expect(seqs(eventsThatFit(all, true))).toEqual([2, 3]);
  expect(seqs(eventsThatFit([event(1, 90_000), event(2, 1)], false))).toEqual([1]);
  expect(seqs(eventsThatFit([event(1, 1), event(2, 90_000)], true))).toEqual([2]);
  expect(eventsThatFit([], true)).toEqual([]);
});
