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
    of,
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

describe('a call that is made again as the same attempt', () => {
  it('keeps its mark, though the end of the one before is told with it', async () => {
    const { happened, launch, end } = launcher();
    launch(1);
    launch(2);
    await Promise.resolve();
    end(1);
    end(2);
    launch(1);
    await Promise.resolve();
    expect(happened.at(-2)).toEqual({ begun: [1], ended: [2] });
  });

  it('keeps it also where something else begins first, and loses it where it ends itself', async () => {
    const { happened, launch, end } = launcher();
    launch(3);
    end(1);
    launch(1);
    await Promise.resolve();
    expect(happened).toEqual([{ begun: [3, 1], ended: [] }, 'call 3', 'call 1']);
    launch(4);
    launch(1);
    end(1);
    await Promise.resolve();
    expect(happened.at(-3)).toEqual({ begun: [4, 1], ended: [1] });
  });

  it('keeps it where it begins at once by itself', () => {
    const { happened, of, end } = launcher();
    end(1);
    end(2);
    of.beginNow({ mark: mark(1) });
    expect(happened).toEqual([{ begun: [1], ended: [2] }]);
  });
});

describe('the calls of a process whose store takes a while to mark them', () => {
  it('begin at once, but for those that are made again after a death', async () => {
    const happened: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const of = new CallLauncher({
      markCalls: ({ begun }) => {
        happened.push(ids(begun));
        return promise;
      },
    });
    of.launch({ mark: mark(1) }, () => happened.push('call 1'));
    of.launch({ mark: mark(2) }, () => happened.push('call 2'), true);
    of.launch({ mark: mark(3) }, () => happened.push('call 3'));
    await Promise.resolve();
    expect(happened).toEqual([[1, 2, 3], 'call 1', 'call 3']);
    resolve();
    await promise;
    expect(happened.slice(3)).toEqual(['call 2']);
  });

  it('begin all at once where the marks are there when they are requested', async () => {
    const happened: string[] = [];
    const of = new CallLauncher({ markCalls: () => undefined });
    of.launch({ mark: mark(1) }, () => happened.push('call 1'), true);
    of.launch({ mark: mark(2) }, () => happened.push('call 2'));
    await Promise.resolve();
    expect(happened).toEqual(['call 1', 'call 2']);
  });

  it('that begin at once by themselves are told when their mark is kept', () => {
    const marking = Promise.resolve();
    expect(new CallLauncher({ markCalls: () => marking }).beginNow({ mark: mark(1) })).toBe(marking);
    expect(new CallLauncher({ markCalls: () => undefined }).beginNow({ mark: mark(1) })).toBeUndefined();
    const ofMemory = new CallLauncher({ keepsMarks: false, markCalls: () => marking });
    expect(ofMemory.beginNow({ mark: mark(1) })).toBeUndefined();
  });
});
