import { InMemoryMemoryIndex } from '../../src/engine/index.js';
import { inSequence, openEngine } from '../support/engine.js';

const HOUR_MS = 3_600_000;

describe('retention', () => {
  it('deletes runs that ended longer ago than it keeps them, with what they left in the memory, and no others', async () => {
    const memory = new InMemoryMemoryIndex();
    const { engine, clock } = await openEngine(
      { work: () => 'a pelican' },
      { memory, retentionMs: 30 * HOUR_MS },
    );
    await engine.workflows.register({ yaml: inSequence('old', [{ id: 'a', uses: 'work' }]) });
    await engine.workflows.register({
      yaml: inSequence('waits', [{ id: 'gate', uses: 'builtin.approval' }]),
    });
    const waiting = await engine.runs.start({ workflowId: 'waits', sync: true });
    const ended = await engine.runs.start({ workflowId: 'old', sync: true });
    await clock.advance(29 * HOUR_MS);
    expect(await memory.search({ namespace: 'default', query: 'pelican', topK: 5 })).toHaveLength(1);
    expect((await engine.runs.get({ workflowId: 'old', runId: ended.runId })).status).toBe('completed');
    await clock.advance(2 * HOUR_MS);
    await expect(engine.runs.get({ workflowId: 'old', runId: ended.runId })).rejects.toThrow('Unknown run');
    expect(await memory.search({ namespace: 'default', query: 'pelican', topK: 5 })).toEqual([]);
    expect((await engine.runs.get({ workflowId: 'waits', runId: waiting.runId })).status).toBe('paused');
  });

  it('takes a run, its fork, the fork of that and so on in one pass, and a family of three levels', async () => {
    const { engine, clock } = await openEngine({ work: () => 'done' }, { retentionMs: 30 * HOUR_MS });
    const children = (id: string, workflowId: string) =>
      inSequence(id, [{ id: 'sub', uses: 'builtin.workflow', config: { workflowId } }]);
    await engine.workflows.register({ yaml: inSequence('leaf', [{ id: 'a', uses: 'work' }]) });
    await engine.workflows.register({ yaml: children('middle', 'leaf') });
    await engine.workflows.register({ yaml: children('top', 'middle') });
    await engine.runs.start({ workflowId: 'top', sync: true });
    let last = await engine.runs.start({ workflowId: 'leaf', sync: true });
    for (let generation = 0; generation < 4; generation += 1) {
      const from = { unitId: 'a' };
      last = await engine.runs.fork({ workflowId: 'leaf', runId: last.runId, from, sync: true });
      await clock.advance(1_000);
    }
    const left = async () => (await engine.runs.list()).items.map(({ workflowId }) => workflowId);
    expect((await left()).sort()).toEqual(['leaf', 'leaf', 'leaf', 'leaf', 'leaf', 'leaf', 'middle', 'top']);
    await clock.advance(29 * HOUR_MS);
    expect(await left()).toHaveLength(8);
    await clock.advance(2 * HOUR_MS);
    expect(await left()).toEqual([]);
    await engine.close();
  });
});
