import type { UnitHandler } from '../../src/engine/index.js';
import { openEngine, workflowYaml } from '../support/engine.js';

interface Fixture {
  readonly calls: string[];
  readonly broken: Set<string>;
  readonly handlers: Readonly<Record<string, UnitHandler>>;
}

/** Units that record their calls and refuse while they are broken. */
function unitsOf(ids: readonly string[], broken: readonly string[]): Fixture {
  const calls: string[] = [];
  const isBroken = new Set(broken);
  const handler =
    (id: string): UnitHandler =>
    () => {
      calls.push(id);
      if (isBroken.has(id)) throw Object.assign(new Error('refused'), { retryable: false });
      return `${id} done`;
    };
  return { calls, broken: isBroken, handlers: Object.fromEntries(ids.map((id) => [id, handler(id)])) };
}

const collecting = (...units: readonly unknown[]) => ({
  type: 'parallel',
  failureStrategy: 'collect-errors',
  units,
});
const ORDER = ['b', 'c'];

describe('a failed run with collect-errors that is resumed', () => {
  it.each([
    ['a parallel inside', collecting('a', collecting('b', 'c')), ['c'], ['c']],
    [
      'a fail-fast parallel inside',
      collecting('a', { type: 'parallel', units: [{ type: 'sequential', order: ORDER }, 'd'] }),
      ['c'],
      ['c'],
    ],
    [
      'a dag inside',
      collecting('a', { type: 'dag', executors: ['b', 'c', 'd'], dependencies: { c: ['b'], d: ['c'] } }),
      ['d'],
      ['d'],
    ],
    [
      'a foreach inside',
      collecting('a', { type: 'foreach', items: '[1, 2]', do: { type: 'sequential', order: ORDER } }),
      ['c'],
      ['c', 'b', 'c'],
    ],
    [
      'two levels inside',
      collecting('a', collecting('b', { type: 'sequential', order: [collecting('c', 'd')] })),
      ['d', 'b'],
      ['b', 'd'],
    ],
  ])('calls with %s only what did not complete', async (_, flow, broken, again) => {
    const ids = ['a', 'b', 'c', 'd'];
    const fixture = unitsOf(ids, broken);
    const { engine } = await openEngine(fixture.handlers);
    const units = ids.map((id) => ({ id, uses: id }));
    await engine.workflows.register({ yaml: workflowYaml('w', { units, flow }) });
    const { runId, status } = await engine.runs.start({ workflowId: 'w', sync: true });
    expect(status).toBe('failed');
    fixture.broken.clear();
    fixture.calls.length = 0;
    const record = await engine.runs.resume({ workflowId: 'w', runId });
    expect(record.status).toBe('completed');
    expect(fixture.calls).toEqual(again);
  });

  it('lets nothing continue in a branch that failed while others still run', async () => {
    const fixture = unitsOf(['a', 'b', 'c'], ['b']);
    const { engine } = await openEngine(fixture.handlers);
    const slow = { id: 'gate', uses: 'builtin.approval' };
    const units = [...['a', 'b', 'c'].map((id) => ({ id, uses: id })), slow, { ...slow, id: 'inner' }];
    const flow = collecting('gate', { type: 'parallel', units: ['inner', 'b'] });
    await engine.workflows.register({ yaml: workflowYaml('w', { units, flow }) });
    const { runId, status } = await engine.runs.start({ workflowId: 'w', sync: true });
    expect(status).toBe('paused');
    const failed = await engine.gates.respond({ workflowId: 'w', runId, approved: true, responder: 'ann' });
    expect(failed).toMatchObject({ status: 'failed' });
    fixture.broken.clear();
    const reopened = await engine.runs.resume({ workflowId: 'w', runId });
    expect(reopened.status).toBe('paused');
    const done = await engine.gates.respond({ workflowId: 'w', runId, approved: true, responder: 'ann' });
    expect(done.result?.completedUnits).toEqual(expect.arrayContaining(['gate', 'inner', 'b']));
    expect(done.status).toBe('completed');
  });
});
