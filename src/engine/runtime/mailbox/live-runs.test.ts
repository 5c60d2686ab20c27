import { inSequence } from '../../../../test/support/engine.js';
import { definitionOf, FINISHED, LiveShell, settled } from '../../../../test/support/live-shell.js';
import { ANN } from '../../../../test/support/simulated-run.js';
import { StoreError } from '../../../errors/service-errors.js';
import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import type { Signal } from '../../core/signal.js';
import type { LiveRun } from './live-run.js';
import { LiveRuns } from './live-runs.js';

const definition = definitionOf(
  inSequence('w', [
    { id: 'g', uses: 'builtin.approval' },
    { id: 'a', uses: 'work' },
  ]),
);

class CountingStore extends InMemoryRunStore {
  loads = 0;
  rows = 0;
  isBroken = false;

  override load(request: Parameters<InMemoryRunStore['load']>[0]): ReturnType<InMemoryRunStore['load']> {
    this.loads += 1;
    return super.load(request);
  }

  override async readRow(
    request: Parameters<InMemoryRunStore['readRow']>[0],
  ): ReturnType<InMemoryRunStore['readRow']> {
    this.rows += 1;
    if (this.isBroken) throw new Error('the disk is gone');
    return super.readRow(request);
  }
}

const start = (runId: string): Signal => ({
  type: 'start',
  at: 1,
  runId,
  namespace: 'default',
  input: {},
  labels: {},
  by: ANN,
  origin: { type: 'client' },
  parent: null,
});
const approve: Signal = {
  type: 'decision',
  at: 2,
  gateId: 2,
  approved: true,
  responder: 'ann',
  by: ANN,
  comment: null,
};

/** The runs of one process; `isAlone`: nobody else appends to the store. */
function processOver(store: CountingStore, isAlone = true) {
  const shell = new LiveShell(store);
  const pinned: unknown[] = [];
  const live = new LiveRuns(
    shell,
    {
      pinnedTo: async (request) => {
        pinned.push(request);
        return definition;
      },
    },
    isAlone,
  );
  shell.notifier.idle = (run) => live.forget(run);
  const begin = async (runId: string): Promise<void> => {
    const run = live.checkOutNew(runId, definition);
    await run.send([start(runId)]);
    live.end(run);
  };
  return { shell, live, pinned, begin };
}

describe('the runs in the memory of a process', () => {
  it('are those that are in use or have something in flight', async () => {
    const { shell, live, begin } = processOver(new CountingStore());
    await begin('waits for ann');
    await settled();
    expect([live.size, live.peek('waits for ann')]).toEqual([0, undefined]);
    await live.withRun('waits for ann', async (run) => {
      expect(live.peek('waits for ann')).toBe(run);
      expect([...live.all()]).toEqual([run]);
      await run.send([approve]);
    });
    await settled();
    expect(live.size).toBe(1);
    shell.calls[0]!.complete(FINISHED);
    await settled();
    expect(live.size).toBe(0);
  });

  it('are loaded once for concurrent checkouts, with the definition that they are pinned to', async () => {
    const store = new CountingStore();
    const { live, pinned, begin } = processOver(store);
    await begin('run');
    await settled();
    const lent = await Promise.all([1, 2, 3].map(() => live.withRun('run', async (run) => run)));
    expect(new Set(lent).size).toBe(1);
    expect(store.loads).toBe(1);
    expect(pinned).toEqual([{ namespace: 'default', workflowId: 'w', hash: definition.plan.hash }]);
    await settled();
    await live.withRun('run', async () => undefined);
    expect(store.loads).toBe(2);
  });

  it('stay for as long as they are in use', async () => {
    const { live, begin } = processOver(new CountingStore());
    await begin('run');
    await settled();
    const first = Promise.withResolvers<void>();
    const using = live.withRun('run', () => first.promise);
    await settled();
    await live.withRun('run', async (run) => run.send([]));
    expect(live.size).toBe(1);
    first.resolve();
    await using;
    expect(live.size).toBe(0);
  });

  it('leave it when their use fails, and the failure is passed on', async () => {
    const { live, begin } = processOver(new CountingStore());
    await begin('run');
    await settled();
    const failing = () => Promise.reject(new Error('no use'));
    await expect(live.withRun('run', failing)).rejects.toThrow('no use');
    live.end(live.checkOutNew('other', definition));
    expect(live.size).toBe(0);
  });

  it('are loaded again where the shard was somebody else’s while they were, and call nothing of before', async () => {
    const store = new CountingStore();
    const { shell, live, begin } = processOver(store, false);
    await begin('run');
    await settled();
    const other = processOver(store, false);
    other.shell.isOwner = false;
    const load = store.load.bind(store);
    store.load = async (request) => {
      const loaded = await load(request);
      if (request.runId !== 'run' || shell.tenure === null) return loaded;
      // Lost and acquired again, before the load is over; meanwhile another process decided.
      store.load = load;
      await other.live.withRun('run', (run) => run.send([approve]));
      shell.tenure = {};
      return loaded;
    };
    await live.withRun('run', async (run) => {
      expect(run.durable.seq).toBe((await store.readRow({ runId: 'run' }))?.lastSeq);
      expect(live.peek('run')).toBe(run);
    });
  });

  it('are none of those that a newer build works on: others answer for them', async () => {
    const store = new CountingStore();
    const { shell, live, begin } = processOver(store, false);
    await begin('run');
    await settled();
    shell.barred.add('run').add('new');
    const { loads } = store;
    await expect(live.withRun('run', async () => undefined)).rejects.toThrow(StoreError);
    await expect(live.withRun('run', async () => undefined)).rejects.toMatchObject({ permanent: false });
    expect(() => live.checkOutNew('new', definition)).toThrow(/newer release/);
    expect([store.loads - loads, live.size]).toEqual([0, 0]);
  });

  it('are not there for a run that does not exist', async () => {
    const { live } = processOver(new CountingStore());
    const used: LiveRun[] = [];
    expect(await live.withRun('nobody', async (run) => used.push(run))).toBeNull();
    expect([used, live.size]).toEqual([[], 0]);
  });

  it('are those that this process owns: others are checked out, and not kept', async () => {
    const store = new CountingStore();
    const { shell, live, begin } = processOver(store, false);
    shell.isOwner = false;
    await begin('run');
    expect(live.size).toBe(0);
    const [one, two] = await Promise.all(
      [1, 2].map(() =>
        live.withRun('run', async (run) => {
          expect(live.peek('run')).toBeUndefined();
          return run;
        }),
      ),
    );
    expect(one).not.toBe(two);
    expect([live.size, store.loads]).toEqual([0, 2]);
  });

  it('are not kept when they went to another process while they were loaded', async () => {
    const { shell, live, begin } = processOver(new CountingStore());
    await begin('run');
    await settled();
    const checkedOut = live.withRun('run', async () => live.size);
    shell.isOwner = false;
    expect(await checkedOut).toBe(0);
  });

  it('are not forgotten for another of the same name', async () => {
    const { live, begin } = processOver(new CountingStore());
    await begin('run');
    await settled();
    await live.withRun('run', async (run) => {
      live.forget({ ...run, runId: 'run' } as unknown as LiveRun);
      expect(live.peek('run')).toBe(run);
      live.forget(run);
      expect(live.peek('run')).toBeUndefined();
    });
  });
});

describe('a checkout of a run in memory', () => {
  /** Two processes, the first with the run in use. */
  async function two(isAlone: boolean) {
    const store = new CountingStore();
    const first = processOver(store, isAlone);
    const second = processOver(store, false);
    second.shell.isOwner = false;
    await first.begin('run');
    await settled();
    return { store, first, second };
  }

  it('begins with a look at the store, where others append too', async () => {
    const { store, first, second } = await two(false);
    await first.live.withRun('run', async (run) => {
      await second.live.withRun('run', (other) => other.send([approve]));
      expect(run.durable.seq).toBe(2);
      await first.live.withRun('run', async (again) => {
        expect(again).toBe(run);
        expect(run.durable.seq).toBe(4);
      });
      const { loads } = store;
      await first.live.withRun('run', async () => undefined);
      expect(store.loads).toBe(loads);
    });
    expect(first.shell.called).toEqual(['a']);
  });

  it('does not read the store where this process is alone', async () => {
    const { store, first } = await two(true);
    await first.live.withRun('run', async () => {
      const { rows } = store;
      await first.live.withRun('run', async () => undefined);
      expect(store.rows).toBe(rows);
    });
  });

  it('that cannot look is refused, and leaves no checkout behind', async () => {
    const { store, first } = await two(false);
    await first.live.withRun('run', async (run) => {
      store.isBroken = true;
      await expect(first.live.withRun('run', async () => undefined)).rejects.toThrow('the disk is gone');
      expect(run.checkouts).toBe(1);
      store.isBroken = false;
    });
    expect(first.live.size).toBe(0);
  });
});
