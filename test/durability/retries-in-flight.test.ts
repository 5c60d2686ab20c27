import { DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence } from '../support/engine.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

it('a retry in flight does not wake its run, which does not loop', async () => {
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
  let scheduled = 0;
  let mayBeScheduled = 0;
  const schedule = clock.schedule.bind(clock);
  clock.schedule = (at, callback) => {
    if (++scheduled > mayBeScheduled) throw new Error('The run is woken over and over.');
    return schedule(at, callback);
  };
  const advance = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      mayBeScheduled = scheduled + 100;
      await clock.advance(100);
    }
  };
  // Timers of the memory must not count. It reads the log in a thread, as slow as the machine is, and by the clock
  // that is moved here meanwhile it then rests for seconds, polling every 100 ms.
  await until(async () => {
    const before = scheduled;
    await advance(10);
    return scheduled === before && store.followed === 0 && (await engine.health()).memoryBehind === 0;
  }, 'the memory has read what there is, and rests');
  scheduled = 0;
  await advance(50);
  expect(scheduled).toBeLessThan(10);
  expect(store.asked).toHaveLength(2);
  end('done');
  expect((await running).status).toBe('completed');
});
