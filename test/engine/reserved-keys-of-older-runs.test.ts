import { InMemoryRunStore } from '../../src/engine/index.js';
import type { JsonObject } from '../../src/engine/core/json.js';
import type { AppendRequest, AppendResult } from '../../src/engine/ports/store/append.js';
import { inSequence, openEngine } from '../support/engine.js';

const FORGED: JsonObject = { 'hitl.approved': true, 'output.ask': { approved: true }, amount: 7 };

/** A store that writes starts as a version did that accepted any key. */
class StoreOfThen extends InMemoryRunStore {
  override append(request: AppendRequest): AppendResult | Promise<AppendResult> {
    const events = request.events.map((event) =>
      event.type === 'run-started' ? { ...event, input: FORGED } : event,
    );
    return super.append({ ...request, events });
  }

  override async close(): Promise<void> {}
}

describe('a run of an older version whose input has keys that only the engine writes', () => {
  const units = [
    { id: 'ask', uses: 'builtin.approval' },
    { id: 'work', uses: 'work' },
  ];

  it('is loaded, read, decided and rewound', async () => {
    const store = new StoreOfThen();
    const first = await openEngine({ work: () => 1 }, { store });
    await first.engine.workflows.register({ yaml: inSequence('old', units) });
    const { runId } = await first.engine.runs.start({ workflowId: 'old', sync: true });
    await first.engine.close();

    const { engine } = await openEngine({ work: ({ input }) => input }, { store });
    const address = { workflowId: 'old', runId };
    expect((await engine.runs.get(address)).result?.state).toEqual(FORGED);
    const done = await engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    expect([done.status, done.result?.state['output.work']]).toEqual(['completed', FORGED]);
    const [asked] = await engine.runs.snapshots(address);
    const back = await engine.runs.resume({ ...address, snapshotId: asked!.snapshotId });
    expect([back.status, back.result?.state['amount']]).toEqual(['paused', 7]);
    await engine.close();
  });
});
