import fc from 'fast-check';
import type { WorkflowSummary } from '../../engine/index.js';
import { workflowPage } from './workflow-page.js';

const summary = (workflowId: string, description: string | null = null): WorkflowSummary => ({
  workflowId,
  description,
  labels: {},
  definitionHash: 'h',
  registeredAt: 1,
  units: ['a'],
  flowType: 'sequential',
});

/** All pages, in order. */
function pages(all: readonly WorkflowSummary[]): string[][] {
  const read: string[][] = [];
  let cursor: string | null = null;
  do {
    const page = workflowPage(all, cursor);
    read.push(page.workflows.map(({ workflowId }) => workflowId));
    cursor = page.nextCursor ?? null;
  } while (cursor !== null);
  return read;
}

it('the only page of few has no cursor', () => {
  expect(workflowPage([], null)).toEqual({ workflows: [] });
  expect(workflowPage([summary('a', 'does a')], null)).toEqual({
    workflows: [{ workflowId: 'a', description: 'does a', labels: {} }],
  });
});

it('a page holds a hundred workflows', () => {
  const all = Array.from({ length: 200 }, (_, i) => summary(`w${i}`));
  expect(pages(all).map(({ length }) => length)).toEqual([100, 100]);
});

it('long ones make a page short, and the longest has one for itself', () => {
  const all = [
    summary('a', 'x'.repeat(30_000)),
    summary('b', 'x'.repeat(30_000)),
    summary('c', 'x'.repeat(90_000)),
    summary('d'),
  ];
  expect(pages(all)).toEqual([['a', 'b'], ['c'], ['d']]);
});

it('the pages together hold every workflow once, in order', () => {
  const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 300 });
  fc.assert(
    fc.property(ids, fc.nat(2_000), (all, chars) => {
      expect(pages(all.map((id) => summary(id, 'x'.repeat(chars)))).flat()).toEqual(all);
    }),
  );
});

it('a cursor of a removed workflow is refused with a message', () => {
  expect(() => workflowPage([summary('a')], 'gone')).toThrow('cursor is not one of a page');
  expect(() => workflowPage([summary('a')], '')).toThrow('leave it out');
});
