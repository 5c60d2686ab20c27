import type { RunStore } from '../../src/engine/index.js';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import { until } from '../support/eventually.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

/** A store that counts how often it was read, and how many rows and events it returned. */
function counting(store: RunStore) {
  const figures = { calls: 0, given: 0 };
  const counted = new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        figures.calls += 1;
        const answer: unknown = Reflect.apply(value, target, given);
        const count = (rows: unknown): unknown => {
          if (Array.isArray(rows)) figures.given += rows.length;
          return rows;
        };
        return answer instanceof Promise ? answer.then(count) : count(answer);
      };
    },
  });
  return { store: counted, figures };
}

/** Decides ten gates of a parent's children in turn, and returns what each read from the store on average. */
async function costAmong(children: number) {
  const { store, figures } = counting(new InMemoryRunStore());
  const { engine } = await openEngine({}, { store });
  const items = JSON.stringify(Array.from({ length: children }, (_, n) => n));
  const one = { id: 'one', uses: 'builtin.workflow', config: { workflowId: 'asks' } };
  await engine.workflows.register({ yaml: inSequence('asks', [{ id: 'gate', uses: 'builtin.approval' }]) });
  await engine.workflows.register({
    yaml: workflowYaml('parent', {
      units: [one],
      flow: { type: 'foreach', items, do: 'one', maxConcurrency: children },
    }),
  });
  const { runId } = await engine.runs.start({ workflowId: 'parent' });
  const parent = { workflowId: 'parent', runId };
  const open = async () => (await engine.gates.list({ limit: 1 })).open;
  await until(async () => (await open()) === children, 'every child asks');
  const asked = (await engine.gates.open(parent)).slice(0, 10);
  await until(async () => (await engine.runs.get(parent)).status === 'paused', 'the parent stands');
  const [calls, given] = [figures.calls, figures.given];
  for (const { gateId, runId: gateRunId } of asked) {
    await engine.gates.respond({ ...parent, gateId, gateRunId, approved: true, responder: 'ann' });
  }
  const cost = { calls: (figures.calls - calls) / 10, given: (figures.given - given) / 10 };
  expect(await open()).toBe(children - 10);
  await engine.close();
  return cost;
}

describe('a decision by the address of the parent', () => {
  it('reads as much from the store among 400 children as among 20', async () => {
    const few = await costAmong(20);
    const many = await costAmong(400);
    console.log('a decision among 20, and among 400 children:', few, many);
    expect(many.calls).toBeLessThan(few.calls * 1.5 + 2);
    expect(many.given).toBeLessThan(few.given * 1.5 + 20);
  }, 60_000);
});
