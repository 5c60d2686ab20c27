import { createEngine, InMemoryMemoryIndex, type Engine } from '../../src/engine/index.js';
import { InProcessRunWatch } from '../../src/engine/drivers/local/in-process-run-watch.js';
import { SharedOwnership } from '../../src/engine/testing/ownership/shared-ownership.js';
import { DurableEngines } from '../support/durability-engine.js';
import { workflowYaml } from '../support/engine.js';
import { SharedStore } from '../support/shared-store.js';
import { STANDING_FAMILY, SteeredFamily, type FamilySeen, type RunPlace } from '../support/steered-family.js';

/** `FLOWGATE_TWO_ENGINES=200` for the whole proof. */
const ROUNDS = Number(process.env['FLOWGATE_TWO_ENGINES'] ?? 12);
const LANES = 4;
const folders = new DurableEngines();
const open: Engine[] = [];

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
  await folders.clear();
});

it(
  'a family over two engines stands and goes on as it is told, whichever of them is asked, while lanes move',
  async () => {
    const store = new SharedStore(folders.folder());
    const ownership = new SharedOwnership({ laneCount: LANES });
    const watch = new InProcessRunWatch();
    /** By run, the keys of its calls. */
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
    for (const { id, ...spec } of STANDING_FAMILY)
      await open[0]!.workflows.register({ yaml: workflowYaml(id, spec) });
    let turn = 0;
    const any = (): Engine => open[turn++ % open.length]!;
    const seen: FamilySeen = {
      ask: async (run, what, idempotencyKey) => {
        await any().runs[what]({ ...run, idempotencyKey, waitMs: 2_000 });
      },
      statusOf: async (run) => (await any().runs.get(run)).status,
      childrenOf: async (run) => {
        // One that is about to begin is not there yet.
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
    /** One lane goes to the other engine. */
    const disturb = async (): Promise<void> => {
      const lane = turn % LANES;
      const [from, to] = ownership.lanesOf('left').includes(lane) ? ['left', 'right'] : ['right', 'left'];
      if (turn % 3 !== 0) await ownership.move(lane, from!, to!);
    };
    const { runId } = await any().runs.start({ workflowId: 'root', input: {} });
    const callsOf = (leaf: RunPlace) => calls.get(leaf.runId)?.size ?? 0;
    const family = new SteeredFamily({ workflowId: 'root', runId }, seen, callsOf, disturb);
    await family.begin();
    for (let round = 0; round < ROUNDS && family.faults.length === 0; round++) {
      if (round % 3 === 0) await family.goOn();
      else if (round % 3 === 1) await family.goOnAndStop(round % 2 === 0 ? null : round, round % 20);
      else await family.stopAndGoOn();
    }
    expect(family.faults).toEqual([]);
    await family.cancel();
  },
  60_000 + ROUNDS * 5_000,
);
