import { InMemoryRunStore } from '../../src/engine/index.js';
import { openEngine, workflowYaml } from '../support/engine.js';

const flow = {
  type: 'sequential',
  order: [{ type: 'loop', do: 'u', maxIterations: 400 }, 'gate'],
};
const units = [
  { id: 'u', uses: 'work' },
  { id: 'gate', uses: 'builtin.approval' },
];

describe('a stored state', () => {
  it('of another version is ignored, and the run is rebuilt from its log', async () => {
    const store = new InMemoryRunStore();
    store.close = async () => undefined;
    const append = store.append.bind(store);
    let stored = 0;
    store.append = (request) => {
      const { storedState } = request;
      if (storedState === null) return append(request);
      stored++;
      return append({ ...request, storedState: { ...storedState, stateVersion: 0, state: 'of last year' } });
    };
    let calls = 0;
    const first = await openEngine({ work: () => ++calls }, { store });
    await first.engine.workflows.register({ yaml: workflowYaml('long', { units, flow }) });
    const { runId } = await first.engine.runs.start({ workflowId: 'long', sync: true });
    await first.engine.close();
    expect(stored).toBeGreaterThan(0);

    const second = await openEngine({ work: () => 0 }, { store });
    const address = { workflowId: 'long', runId };
    const record = await second.engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    expect(record.result?.state['output.u']).toBe(400);
    expect(record.result?.completedUnits).toEqual(['u', 'gate']);
  });
});
