import { DurableEngines, until } from '../support/durability-engine.js';
import { inSequence } from '../support/engine.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

it('a retry that is under way wakes nobody: its run does not turn round and round', async () => {
  const { promise: slow, resolve: end } = Promise.withResolvers<string>();
  const attempts: number[] = [];
  const { engine, store, clock } = await engines.open(engines.folder(), {
    work: ({ context: { attempt } }) => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error('once more');
      return slow;
    },
  });
  await engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
  const running = engine.runs.start({ workflowId: 'w', sync: true });
  await until(() => attempts.length === 1, 'the first attempt fails');
  await until(async () => {
    await clock.advance(100);
    return attempts.length === 2;
  }, 'the second attempt is made');
  // The memory has read what there is, and rests.
  await until(async () => {
    await clock.advance(100);
    return (await engine.health()).memoryBehind === 0;
  }, 'the memory has caught up');
  for (let i = 0; i < 60; i++) await clock.advance(100);
  let scheduled = 0;
  const schedule = clock.schedule.bind(clock);
  clock.schedule = (at, callback) => {
    if (++scheduled > 100) throw new Error('The run is woken over and over.');
    return schedule(at, callback);
  };
  for (let i = 0; i < 50; i++) await clock.advance(100);
  expect(scheduled).toBeLessThan(10);
  expect(store.asked).toHaveLength(2);
  end('done');
  expect((await running).status).toBe('completed');
});
