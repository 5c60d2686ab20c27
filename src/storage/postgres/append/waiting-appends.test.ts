import type { AppendRequest } from '../../../engine/ports/store/append.js';
import {
  sampleAppend,
  sampleKey,
  sampleRow,
  sampleRunId,
} from '../../../engine/testing/contract/run-store/support/sample-run.js';
import { appendOf, type Append } from './append-rows.js';
import { WaitingAppends } from './waiting-appends.js';

interface Item {
  readonly name: string;
  readonly append: Append;
}

const item = (name: string, request: AppendRequest): Item => ({ name, append: appendOf(request) });
const named = (items: readonly Item[]): readonly string[] => items.map(({ name }) => name);

function waiting(...items: readonly Item[]) {
  const appends = new WaitingAppends<Item>();
  for (const one of items) appends.add(one);
  return {
    appends,
    take: () => named(appends.takeSmall()),
    settle: (...names: readonly string[]) => {
      for (const one of items) if (names.includes(one.name)) appends.settle(one);
    },
  };
}

const [RUN, OTHER] = [sampleRunId(1), sampleRunId(2)] as const;

describe('appends that wait', () => {
  it('are one group, while they are of different runs and few', () => {
    const items = [1, 2, 3].map((index) => item(`${index}`, sampleAppend(sampleRunId(index))));
    const { appends, take } = waiting(...items);
    expect([appends.size, appends.hasSmall, appends.hasLarge, appends.isFull]).toEqual([
      3,
      true,
      false,
      false,
    ]);
    expect(take()).toEqual(['1', '2', '3']);
    expect([take(), appends.size]).toEqual([[], 3]);
    for (const one of items) appends.settle(one);
    expect(appends.size).toBe(0);
  });

  it('of one run come one after the other, each when the one before is settled', () => {
    const chain = [0, 2, 4].map((expectedSeq) => item(`${expectedSeq}`, sampleAppend(RUN, { expectedSeq })));
    const { take, settle } = waiting(...chain, item('other', sampleAppend(OTHER)));
    expect(take()).toEqual(['0', 'other']);
    expect(take()).toEqual([]);
    settle('other');
    expect(take()).toEqual([]);
    settle('0');
    expect(take()).toEqual(['2']);
    settle('2');
    expect(take()).toEqual(['4']);
  });

  it('with one key come one after the other', () => {
    const start = (runId: string) => sampleAppend(runId, { idempotency: [sampleKey(runId)] });
    const { take, settle } = waiting(item('first', start(RUN)), item('second', start(OTHER)));
    expect(take()).toEqual(['first']);
    settle('first');
    expect(take()).toEqual(['second']);
  });

  it('of a fork come after those of its source, and the other way round', () => {
    const fork = sampleAppend(OTHER, { row: sampleRow(OTHER, { origin: 'fork', forkedFrom: RUN }) });
    const { take, settle } = waiting(
      item('source', sampleAppend(RUN)),
      item('fork', fork),
      item('moved', sampleAppend(RUN, { expectedSeq: 2 })),
    );
    expect(take()).toEqual(['source']);
    settle('source');
    expect(take()).toEqual(['fork']);
    settle('fork');
    expect(take()).toEqual(['moved']);
  });

  it('of children come after what their parent had to write, and hold neither it nor one another up', () => {
    const child = (index: number) => {
      const runId = sampleRunId(index);
      return item(
        `child ${index}`,
        sampleAppend(runId, { row: sampleRow(runId, { origin: 'child', parentRunId: RUN }) }),
      );
    };
    const { take, settle } = waiting(
      item('parent', sampleAppend(RUN)),
      child(3),
      child(4),
      item('moved', sampleAppend(RUN, { expectedSeq: 2 })),
    );
    expect(take()).toEqual(['parent']);
    settle('parent');
    expect([...take()].sort()).toEqual(['child 3', 'child 4', 'moved']);
  });

  it('are shared in rounds by workflow, where they are more than a group', () => {
    const many = Array.from({ length: 2_000 }, (_, index) =>
      item(`a${index}`, sampleAppend(sampleRunId(index))),
    );
    const others = [5_000, 5_001].map((index) => {
      const runId = sampleRunId(index);
      return item(`b${index}`, sampleAppend(runId, { row: sampleRow(runId, { workflowId: 'b' }) }));
    });
    const { appends, take } = waiting(...many, ...others);
    expect(appends.isFull).toBe(true);
    const group = take();
    expect(group).toHaveLength(512);
    expect(group).toEqual(expect.arrayContaining(['b5000', 'b5001']));
    expect(take().slice(0, 2)).toEqual(['a510', 'a511']);
  });

  it('are no more than some MB at a time', () => {
    const large = 'x'.repeat(900_000);
    const items = Array.from({ length: 12 }, (_, index) => {
      const event = { v: 1, seq: 1, at: 1, type: large };
      return item(`${index}`, sampleAppend(sampleRunId(index), { events: [event] }));
    });
    const { appends, take } = waiting(...items);
    expect(appends.isFull).toBe(true);
    expect([take().length, take().length, appends.isFull]).toEqual([5, 5, false]);
    expect(take()).toHaveLength(2);
  });

  it('are groups by themselves, where they are large or imports', () => {
    const event = { v: 1, seq: 1, at: 1, type: 'x'.repeat(2_000_000) };
    const { appends, take } = waiting(
      item('large', sampleAppend(RUN, { events: [event] })),
      item('import', sampleAppend(OTHER, { row: sampleRow(OTHER, { origin: 'import' }) })),
      item('small', sampleAppend(sampleRunId(3))),
    );
    expect(take()).toEqual(['small']);
    expect([named(appends.takeLarge()), named(appends.takeLarge()), named(appends.takeLarge())]).toEqual([
      ['large'],
      ['import'],
      [],
    ]);
  });
});
