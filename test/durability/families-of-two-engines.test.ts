import { createEngine, InMemoryMemoryIndex, type Engine } from '../../src/engine/index.js';
import { InProcessRunWatch } from '../../src/engine/drivers/local/in-process-run-watch.js';
import { SharedOwnership } from '../../src/engine/testing/ownership/shared-ownership.js';
import { DurableEngines } from '../support/durability-engine.js';
import { workflowYaml } from '../support/engine.js';
import { SharedStore } from '../support/shared-store.js';
import {
  PAUSING_FAMILY,
  SteeredFamily,
  type FamilySeen,
  type RunAddress,
} from '../support/steered-family.js';

/** `FLOWGATE_TWO_ENGINES=200` runs the whole proof. */
const ROUNDS = Number(process.env['FLOWGATE_TWO_ENGINES'] ?? 12);
const SHARDS = 4;
const folders = new DurableEngines();
const open: Engine[] = [];

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
  await folders.clear();
});

it(
  'a family over two engines pauses and continues as requested, by whichever of them, while shards move',
  async () => {
    const store = new SharedStore(folders.folder());
    const ownership = new SharedOwnership({ shardCount: SHARDS });
    const watch = new InProcessRunWatch();
    /** The keys of the calls of each run. */
    const calls = new Map<string, Set<string>>();
    for (const name of ['left', 'right']) {
      const engine = createEngine({
        store,
        watch,
        driver: ownership.driver(name),
        memory: new InMemoryMemoryIndex(),
        sameInstantMs: 5,
        cancelGraceMs: 200,
        shutdownGraceMs: 1_000,
      });
      engine.registerUnit('acme.work', async ({ context }, { idempotencyKey }) => {
        const known = calls.get(context.runId) ?? new Set();
        calls.set(context.runId, known.add(idempotencyKey));
        await new Promise((resolve) => setTimeout(resolve, 10));
        return 'done';
      });
      await engine.open();
      open.push(engine);
    }
    await ownership.spread();
    for (const { id, ...spec } of PAUSING_FAMILY)
      await open[0]!.workflows.register({ yaml: workflowYaml(id, spec) });
    let turn = 0;
    const any = (): Engine => open[turn++ % open.length]!;
    const seen: FamilySeen = {
      ask: async (run, what, idempotencyKey) => {
        await any().runs[what]({ ...run, idempotencyKey, waitMs: 2_000 });
      },
      statusOf: async (run) => (await any().runs.get(run)).status,
      childrenOf: async (run) => {
        // A run that is about to begin does not exist yet.
        const page = await any()
          .runs.messages(run)
          .catch(() => null);
        return (page?.messages ?? []).flatMap((message) =>
          message.type === 'child-started'
            ? [{ workflowId: message.workflowId, runId: message.childRunId }]
            : [],
        );
      },
      lastPause: async (run) => {
        const page = await any()
          .runs.events({ ...run, tail: 1 })
          .catch(() => null);
        const last = page?.items.at(-1);
        return last?.type === 'run.paused' ? String((last.data as { reason?: unknown }).reason) : null;
      },
    };
    /** Moves one shard to the other engine. */
    const disturb = async (): Promise<void> => {
      const shard = turn % SHARDS;
      const [from, to] = ownership.shardsOf('left').includes(shard) ? ['left', 'right'] : ['right', 'left'];
      if (turn % 3 !== 0) await ownership.move(shard, from!, to!);
    };
    const { runId } = await any().runs.start({ workflowId: 'root', input: {} });
    const callsOf = (leaf: RunAddress) => calls.get(leaf.runId)?.size ?? 0;
    const family = new SteeredFamily({ workflowId: 'root', runId }, seen, callsOf, disturb);
    await family.begin();
    for (let round = 0; round < ROUNDS && family.faults.length === 0; round++) {
      if (round % 3 === 0) await family.resumeOnce();
      else if (round % 3 === 1) await family.resumeAndPause(round % 2 === 0 ? null : round, round % 20);
      else await family.pauseAndResume();
    }
    expect(family.faults).toEqual([]);
    await family.cancel();
  },
  60_000 + ROUNDS * 5_000,
);
