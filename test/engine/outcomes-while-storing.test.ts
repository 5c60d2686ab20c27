import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { InMemoryRunStore } from '../../src/engine/index.js';
import { openEngine, workflowYaml } from '../support/engine.js';

/** A store whose appends take time, as those of a disk do. */
class UnhurriedStore extends InMemoryRunStore {
  override async append(...request: Parameters<InMemoryRunStore['append']>) {
    for (let turns = 0; turns < 5; turns++) await turnOfTheLoop();
    return super.append(...request);
  }
}

describe('an outcome that arrives while another one is being stored', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const units = ids.map((id) => ({ id, uses: id }));
  const yaml = workflowYaml('all', { units, flow: { type: 'parallel', units: ids } });

  it('is not requested a second time', async () => {
    const keys: string[] = [];
    const answerAfter = (turns: number) => async (_request: unknown, options: { idempotencyKey: string }) => {
      keys.push(options.idempotencyKey);
      for (let turn = 0; turn < turns; turn++) await turnOfTheLoop();
      return 'done';
    };
    const handlers = Object.fromEntries(ids.map((id, index) => [id, answerAfter(2 * index)]));
    const { engine } = await openEngine(handlers, { store: new UnhurriedStore() });
    await engine.workflows.register({ yaml });
    expect((await engine.runs.start({ workflowId: 'all', sync: true })).status).toBe('completed');
    expect(keys).toHaveLength(ids.length);
  });

  it('that is a failure is retried as the next attempt, once', async () => {
    const attempts: string[] = [];
    const flaky = (id: string, turns: number) => async (request: { context: { attempt: number } }) => {
      attempts.push(`${id}${request.context.attempt}`);
      for (let turn = 0; turn < turns; turn++) await turnOfTheLoop();
      if (request.context.attempt === 1) throw new Error('not yet');
      return 'done';
    };
    const handlers = Object.fromEntries(ids.map((id, index) => [id, flaky(id, 2 * index)]));
    const { engine, clock } = await openEngine(handlers, { store: new UnhurriedStore() });
    await engine.workflows.register({ yaml });
    const run = engine.runs.start({ workflowId: 'all', sync: true });
    for (let step = 0; step < 100; step++) await clock.advance(10);
    expect((await run).status).toBe('completed');
    expect(attempts.toSorted()).toEqual(ids.flatMap((id) => [`${id}1`, `${id}2`]));
  });
});
