import type { CallMark } from '../../../ports/store/crash-journal.js';
import type { RunStore } from '../../../ports/store/run-store.js';
import { CallLauncher } from './call-launcher.js';

const mark = (executionId: number): CallMark => ({ runId: 'run', executionId, attempt: 1 });
const ids = (marks: readonly CallMark[]): readonly number[] => marks.map(({ executionId }) => executionId);

/** A launcher, and what happened in order: which marks the store got, and which calls began. */
function launcher() {
  const happened: unknown[] = [];
  const store: Pick<RunStore, 'markCalls'> = {
    markCalls: ({ begun, ended }) => void happened.push({ begun: ids(begun), ended: ids(ended) }),
  };
  const of = new CallLauncher(store);
  return {
    happened,
    launch: (id: number) => of.launch({ mark: mark(id) }, () => happened.push(`call ${id}`)),
    end: (id: number) => of.end({ mark: mark(id) }),
  };
}

describe('the calls of a process', () => {
  it('begin when they are marked in the store, all of one turn together', async () => {
    const { happened, launch } = launcher();
    launch(1);
    launch(2);
    expect(happened).toEqual([]);
    await Promise.resolve();
    expect(happened).toEqual([{ begun: [1, 2], ended: [] }, 'call 1', 'call 2']);
    launch(3);
    await Promise.resolve();
    expect(happened.slice(3)).toEqual([{ begun: [3], ended: [] }, 'call 3']);
  });

  it('that are over are marked with those that begin next, once', async () => {
    const { happened, launch, end } = launcher();
    end(1);
    end(2);
    await Promise.resolve();
    expect(happened).toEqual([]);
    launch(3);
    await Promise.resolve();
    launch(4);
    await Promise.resolve();
    expect(happened).toEqual([{ begun: [3], ended: [1, 2] }, 'call 3', { begun: [4], ended: [] }, 'call 4']);
  });

  it('that are over are marked on their own when a thousand have gathered', () => {
    const { happened, end } = launcher();
    for (let id = 1; id < 1_000; id += 1) end(id);
    expect(happened).toEqual([]);
    end(1_000);
    expect(happened).toEqual([{ begun: [], ended: Array.from({ length: 1_000 }, (_, index) => index + 1) }]);
    end(1_001);
    expect(happened).toHaveLength(1);
  });

  it('that are about to begin take along what is over, however many those are', async () => {
    const { happened, launch, end } = launcher();
    launch(0);
    for (let id = 1; id <= 1_000; id += 1) end(id);
    expect(happened).toEqual([]);
    await Promise.resolve();
    expect(happened).toHaveLength(2);
    expect(happened[0]).toMatchObject({ begun: [0] });
    expect((happened[0] as { ended: number[] }).ended).toHaveLength(1_000);
  });

  it('that begin while others do are marked after them', async () => {
    const happened: unknown[] = [];
    const of = new CallLauncher({ markCalls: ({ begun }) => void happened.push(ids(begun)) });
    of.launch({ mark: mark(1) }, () => of.launch({ mark: mark(2) }, () => happened.push('call 2')));
    await Promise.resolve();
    await Promise.resolve();
    expect(happened).toEqual([[1], [2], 'call 2']);
  });

  it('begin at once where the store goes with the process, and nothing is marked', () => {
    const happened: unknown[] = [];
    const markCalls = (): void => void happened.push('told');
    const of = new CallLauncher({ keepsMarks: false, markCalls });
    const unmarked = {
      get mark(): CallMark {
        throw new Error('nobody needs it');
      },
    };
    of.launch(unmarked, () => happened.push('call'));
    for (let ended = 0; ended < 2_000; ended += 1) of.end(unmarked);
    expect(happened).toEqual(['call']);
  });
});
