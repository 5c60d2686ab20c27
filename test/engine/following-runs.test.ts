import { InProcessRunWatch } from '../../src/engine/drivers/local/in-process-run-watch.js';
import type { RunStep } from '../../src/engine/index.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

const summaryOf = (steps: readonly RunStep[]): string[] =>
  steps.map((step) => ('unitId' in step ? `${step.unitId} ${step.type}` : step.type));

async function taken(steps: AsyncIterable<RunStep>): Promise<RunStep[]> {
  const all: RunStep[] = [];
  for await (const step of steps) all.push(step);
  return all;
}

describe('a run that is followed', () => {
  it('is reported from its start to its end, also when it ended long ago', async () => {
    const { engine } = await openEngine({ 'test.echo': () => 'x' });
    const units = [
      { id: 'first', uses: 'test.echo' },
      { id: 'note', uses: 'builtin.set', config: { values: { a: 1 } } },
      { id: 'never', uses: 'test.echo', if: 'false' },
    ];
    await engine.workflows.register({ yaml: inSequence('followed', units) });
    const { runId } = await engine.runs.start({ workflowId: 'followed', sync: true });
    const steps = await taken(engine.runs.follow({ workflowId: 'followed', runId }));
    expect(summaryOf(steps)).toEqual([
      'first unit-started',
      'first unit-finished',
      'note unit-finished',
      'never unit-skipped',
    ]);
    expect(JSON.stringify(steps)).not.toContain('"x"');
  });

  it('says that a unit began while the unit is at work', async () => {
    const work = Promise.withResolvers<string>();
    const { engine } = await openEngine({ 'test.slow': () => work.promise });
    await engine.workflows.register({ yaml: inSequence('slow', [{ id: 'work', uses: 'test.slow' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'slow' });
    const steps: string[] = [];
    for await (const step of engine.runs.follow({ workflowId: 'slow', runId })) {
      steps.push(step.type);
      if (step.type === 'unit-started') work.resolve('done');
    }
    expect(steps).toEqual(['unit-started', 'unit-finished']);
  });

  it('ends at a gate, and continues after the last step that was seen', async () => {
    const { engine } = await openEngine();
    const units = [
      { id: 'ask', uses: 'builtin.approval', config: { title: 'Go on?' } },
      { id: 'rest', uses: 'builtin.mock', config: { response: 1 } },
    ];
    await engine.workflows.register({ yaml: inSequence('gate', units) });
    const { runId } = await engine.runs.start({ workflowId: 'gate' });
    const before = await taken(engine.runs.follow({ workflowId: 'gate', runId }));
    expect(before).toEqual([expect.objectContaining({ type: 'gate-opened', title: 'Go on?' })]);
    await engine.gates.respond({ workflowId: 'gate', runId, approved: true, responder: 'ann' });
    const afterSeq = before.at(-1)?.seq;
    const after = await taken(engine.runs.follow({ workflowId: 'gate', runId, afterSeq }));
    expect(summaryOf(after)).toEqual(['ask gate-decided', 'rest unit-started', 'rest unit-finished']);
  });

  it('names attempts that failed, and the failure', async () => {
    const { engine, clock } = await openEngine({ 'test.no': () => Promise.reject(new Error('not today')) });
    const policyOverrides = { retry: { maxAttempts: 2, backoff: 'fixed', baseMs: 10 } };
    const units = [{ id: 'no', uses: 'test.no', policyOverrides }];
    await engine.workflows.register({ yaml: inSequence('fails', units) });
    const { runId } = await engine.runs.start({ workflowId: 'fails' });
    const steps: RunStep[] = [];
    for await (const step of engine.runs.follow({ workflowId: 'fails', runId })) {
      steps.push(step);
      if (step.type === 'unit-retry') clock.advance(step.delayMs);
    }
    expect(steps.slice(1)).toEqual([
      expect.objectContaining({ type: 'unit-retry', attempt: 1, error: 'not today' }),
      expect.objectContaining({ type: 'unit-failed', attempt: 2, error: expect.stringMatching(/not today/) }),
    ]);
  });

  it('of very many steps is reported in pages, each step once and in order', async () => {
    const { engine } = await openEngine();
    const yaml = workflowYaml('many', {
      units: [{ id: 'one', uses: 'builtin.mock', config: { response: 1 } }],
      flow: { type: 'foreach', items: 'input.items', do: 'one' },
    });
    await engine.workflows.register({ yaml });
    const input = { items: Array.from({ length: 900 }, (_, i) => i) };
    const { runId } = await engine.runs.start({ workflowId: 'many', input });
    const seqs = (await taken(engine.runs.follow({ workflowId: 'many', runId }))).map(({ seq }) => seq);
    expect(seqs).toHaveLength(1_800);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
  });

  it('leaves nobody waiting once its signal fires or its loop is left', async () => {
    const watch = new InProcessRunWatch();
    const { engine } = await openEngine({ 'test.never': () => new Promise(() => {}) }, { watch });
    await engine.workflows.register({ yaml: inSequence('stuck', [{ id: 'work', uses: 'test.never' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'stuck' });
    for await (const step of engine.runs.follow({ workflowId: 'stuck', runId })) {
      expect(step.type).toBe('unit-started');
      break;
    }
    expect(watch.waiting).toBe(0);
    const stop = new AbortController();
    for await (const _ of engine.runs.follow({ workflowId: 'stuck', runId, signal: stop.signal }))
      stop.abort();
    expect(watch.waiting).toBe(0);
  });

  it('is reported no longer once the engine is closed', async () => {
    const { engine } = await openEngine({ 'test.never': () => new Promise(() => {}) });
    await engine.workflows.register({ yaml: inSequence('stuck', [{ id: 'work', uses: 'test.never' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'stuck' });
    const steps: string[] = [];
    for await (const step of engine.runs.follow({ workflowId: 'stuck', runId })) {
      steps.push(step.type);
      void engine.close();
    }
    expect(steps).toEqual(['unit-started']);
  });

  it('has to exist', async () => {
    const { engine } = await openEngine();
    await expect(taken(engine.runs.follow({ workflowId: 'a', runId: 'b' }))).rejects.toThrow(
      'Unknown run: b',
    );
  });
});
