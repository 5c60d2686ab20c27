import {
  sampleAppend,
  sampleRow,
  sampleRunId,
} from '../../../engine/testing/contract/run-store/support/sample-run.js';
import { RecentAppends } from './recent-appends.js';

const RUN = sampleRunId(1);
const append = sampleAppend(RUN);

/** With a reader that has come to the end of the log. */
function recentAt(position: number): RecentAppends {
  const recent = new RecentAppends();
  recent.add(append, { position, chars: 10 });
  recent.read(position, 100);
  return recent;
}

function add(recent: RecentAppends, ...positions: readonly number[]): void {
  for (const position of positions) recent.add(append, { position, chars: 10 });
}

const positionsOf = (recent: RecentAppends, after: number, limit = 100) =>
  recent.read(after, limit)?.map(({ position }) => position) ?? null;

describe('appends of a moment ago', () => {
  it('are given to a reader that is at the end, page by page, as the log would have them', () => {
    const recent = recentAt(7);
    add(recent, 8, 9, 10);
    expect(positionsOf(recent, 7, 2)).toEqual([8, 9]);
    expect(positionsOf(recent, 9, 2)).toEqual([10]);
    expect(positionsOf(recent, 10)).toEqual([]);
    const [entry] = recent.read(9, 1) ?? [];
    const { namespace, workflowId, definitionHash } = append.row;
    const { events } = append;
    const about = {
      kind: 'appended',
      position: 10,
      runId: RUN,
      namespace,
      workflowId,
      definitionHash,
      events,
    };
    expect(entry).toEqual(about);
  });

  it('are not kept before anybody has read', () => {
    const recent = new RecentAppends();
    add(recent, 1, 2);
    expect(positionsOf(recent, 0)).toBeNull();
  });

  it('are not kept for a reader that is far behind', () => {
    const recent = new RecentAppends();
    add(recent, 5_000);
    recent.read(0, 10);
    add(recent, 5_001);
    expect(positionsOf(recent, 5_000)).toBeNull();
    // It is at the end now.
    add(recent, 5_002);
    expect(positionsOf(recent, 5_001)).toEqual([5_002]);
  });

  it('miss nothing for the reader that is close when another one is far behind', () => {
    const recent = recentAt(9_000);
    add(recent, 9_001);
    expect(positionsOf(recent, 0)).toBeNull();
    add(recent, 9_002);
    expect(positionsOf(recent, 9_001)).toEqual([9_002]);
    expect(positionsOf(recent, 8_000)).toBeNull();
    add(recent, 9_003);
    expect(positionsOf(recent, 9_001)).toEqual([9_002, 9_003]);
  });

  it('are never at an end that they are not: a reader that fell behind while they were kept reads on in the log', () => {
    const recent = recentAt(1_500);
    recent.read(1_000, 100);
    for (let position = 1_501; position <= 3_001; position++) add(recent, position);
    expect(positionsOf(recent, 1_000)).toBeNull();
    for (let position = 3_002; position <= 9_000; position++) add(recent, position);
    expect(positionsOf(recent, 3_001)).toBeNull();
  });

  it.each([
    ['many', 10, 2_001],
    ['large', 1_100_000, 2],
  ])('are let go of when there are too %s', (_, chars, count) => {
    const recent = recentAt(1);
    for (let position = 2; position < 2 + count; position++) recent.add(append, { position, chars });
    expect(positionsOf(recent, 1)).toBeNull();
  });

  it('are let go of once a follower has handled them', () => {
    const recent = recentAt(1);
    add(recent, 2, 3, 4);
    recent.release(3);
    expect(positionsOf(recent, 2)).toBeNull();
    expect(positionsOf(recent, 3)).toEqual([4]);
    recent.release(9);
    expect(positionsOf(recent, 4)).toEqual([]);
    add(recent, 5);
    expect(positionsOf(recent, 4)).toEqual([5]);
  });

  it('say nothing about what is before a gap', () => {
    const recent = recentAt(1);
    add(recent, 2, 4);
    expect(positionsOf(recent, 1)).toBeNull();
    expect(positionsOf(recent, 2)).toBeNull();
    expect(positionsOf(recent, 3)).toEqual([4]);
  });

  it('are not known when one comes out of order, until the next', () => {
    const recent = recentAt(1);
    add(recent, 3, 2);
    expect(positionsOf(recent, 2)).toBeNull();
    add(recent, 4);
    expect(positionsOf(recent, 3)).toEqual([4]);
  });

  it('begin anew after an import, which may be in several entries', () => {
    const recent = recentAt(1);
    add(recent, 2);
    const imported = sampleAppend(RUN, { row: sampleRow(RUN, { origin: 'import' }) });
    recent.add(imported, { position: 5, chars: 10 });
    expect(positionsOf(recent, 2)).toBeNull();
    recent.add({ ...imported, expectedSeq: 2 }, { position: 6, chars: 10 });
    expect(recent.read(5, 9)).toEqual([expect.objectContaining({ position: 6, isImport: true })]);
  });
});
