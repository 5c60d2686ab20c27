import { InMemoryMemoryIndex, InMemoryRunStore } from '../../src/engine/index.js';
import { inSequence, openEngine } from '../support/engine.js';

const yaml = inSequence('w', [{ id: 'a', uses: 'work' }]);

describe('a namespace', () => {
  it('keeps its workflows, runs, keys and memories apart from those of others', async () => {
    const memory = new InMemoryMemoryIndex();
    const { engine, clock } = await openEngine(
      { work: ({ context }) => `pelican of ${context.namespace}` },
      { memory },
    );
    await engine.workflows.register({ namespace: 'left', yaml });
    expect(await engine.workflows.has('w')).toBe(false);
    await expect(engine.runs.start({ workflowId: 'w' })).rejects.toThrow('Unknown workflow: w');
    await engine.workflows.register({ namespace: 'right', yaml });
    const start = (namespace: string) =>
      engine.runs.start({ namespace, workflowId: 'w', sync: true, idempotencyKey: 'same' });
    const [left, right] = [await start('left'), await start('right')];
    expect(left.runId).not.toBe(right.runId);
    expect(left.result?.state).toEqual({ 'output.a': 'pelican of left' });
    expect((await start('left')).runId).toBe(left.runId);
    const address = { workflowId: 'w', runId: left.runId };
    expect((await engine.runs.get({ ...address, namespace: 'left' })).status).toBe('completed');
    for (const namespace of ['right', undefined]) {
      await expect(engine.runs.get({ ...address, namespace })).rejects.toThrow('Unknown run');
      await expect(engine.runs.resume({ ...address, namespace })).rejects.toThrow('Unknown run');
    }
    await clock.advance(1_000);
    const found = await engine.memory.search({ namespace: 'right', query: 'pelican', topK: 5 });
    expect(found.map(({ content }) => content)).toEqual(['pelican of right']);
    expect(await engine.memory.search({ query: 'pelican', topK: 5 })).toEqual([]);
  });

  it.each(['', 'Left', 'a b', '../x', 'x'.repeat(64)])('cannot be named %j', async (namespace) => {
    const { engine } = await openEngine();
    await expect(engine.workflows.register({ namespace, yaml })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });
});

describe('the labels of a run', () => {
  async function opened() {
    const store = new InMemoryRunStore();
    const { engine } = await openEngine({ work: () => 1 }, { store });
    await engine.workflows.register({ yaml });
    return { engine, store };
  }

  it('are kept with it, and who started it', async () => {
    const { engine, store } = await opened();
    const by = { id: 'ann', owner: 'acme', via: 'http', auth: 'host' } as const;
    const { runId } = await engine.runs.start({ workflowId: 'w', labels: { team: 'finance' }, by });
    expect(await store.readLabels({ runId })).toEqual({ team: 'finance' });
    const [started] = await store.readEvents({ runId, afterSeq: 0, limit: 1 });
    expect(started).toMatchObject({
      labels: { team: 'finance' },
      by,
      origin: { type: 'client' },
      namespace: 'default',
    });
  });

  it.each([
    ['too many', Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`l${i}`, '']))],
    ['a name with a space', { 'a b': '' }],
    ['a value that is too long', { a: 'x'.repeat(257) }],
  ])('are refused with %s, and no run begins', async (_what, labels) => {
    const { engine, store } = await opened();
    await expect(engine.runs.start({ workflowId: 'w', labels })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    expect(await store.lastPosition()).toBe(0);
  });

  it('belong to the request that a key identifies', async () => {
    const { engine } = await opened();
    const start = (labels: Record<string, string>) =>
      engine.runs.start({ workflowId: 'w', labels, idempotencyKey: 'k' });
    const { runId } = await start({ a: '1' });
    expect((await start({ a: '1' })).runId).toBe(runId);
    await expect(start({ a: '2' })).rejects.toMatchObject({ code: 'idempotency-conflict' });
  });
});
