import { Choices, printedSeed } from '../../crash/support/choices.js';
import { until } from '../../support/eventually.js';
import { counted } from '../support/counts.js';
import { startSteadyReplicas, type SteadyReplicas } from '../support/steady-replicas.js';

const WITHIN_MS = 3_000;
const TIMES = counted(10);

const choices = new Choices(printedSeed('stopped replicas'));
let steady: SteadyReplicas;
afterEach(() => steady?.close());

/** Runs end within the time: the others go on, rather than wait for whoever stops. */
async function runsEnd(ended: () => number): Promise<void> {
  const before = ended();
  await until(() => ended() > before, 'a run ends', WITHIN_MS);
}

it(
  'SIGTERM hands over what is owned: nothing is called twice, and no run waits long for it',
  async () => {
    steady = await startSteadyReplicas({ choices });
    const { replicas, ledger } = steady;
    const load = steady.load();
    for (let times = 0; times < TIMES; times += 1) {
      await Promise.all(replicas.all.map((replica) => replicas.hasJoined(replica)));
      const victim = replicas.any();
      await until(() => ledger.inFlightAt([victim.name]).length > 0, 'it has a call in flight');
      const instant = Date.now();
      await replicas.terminate(victim);
      expect(Date.now() - instant).toBeLessThanOrEqual(WITHIN_MS);
      await runsEnd(() => load.ended);
      await replicas.start();
    }
    await load.stop();
    // Nobody was a victim: one execution at two replicas is a fault here.
    expect([...load.faults, ...ledger.faults]).toEqual([]);
    expect([ledger.takenUp, ledger.ledger.repeatedCalls]).toEqual([0, 0]);
    expect(load.ended).toBeGreaterThan(TIMES);
  },
  60_000 + TIMES * 20_000,
);

it(`one that joins owns its share within ${WITHIN_MS} ms, and nothing is called twice for it`, async () => {
  steady = await startSteadyReplicas({ choices, count: 1 });
  const { replicas, ledger } = steady;
  const load = steady.load();
  await replicas.hasJoined(replicas.any());
  for (const count of [2, 3]) {
    const joiner = await replicas.start();
    const instant = Date.now();
    await replicas.hasJoined(joiner);
    const after = Date.now() - instant;
    process.stdout.write(`Replica ${count} calls its first unit ${after} ms after it listens\n`);
    expect(after).toBeLessThanOrEqual(WITHIN_MS);
  }
  // Each of them has its share of the work from then on.
  const calls = (): readonly number[] => replicas.names.map((name) => ledger.callsBy(name));
  const before = calls();
  const haveCalled = (): boolean => calls().every((count, index) => count > (before[index] ?? 0));
  await until(haveCalled, 'each of the three calls a unit', WITHIN_MS);
  await load.stop();
  expect([...load.faults, ...ledger.faults]).toEqual([]);
  expect([ledger.takenUp, ledger.ledger.repeatedCalls]).toEqual([0, 0]);
}, 120_000);

it('a rolling restart of all of them loses nothing and calls nothing twice', async () => {
  steady = await startSteadyReplicas({ choices });
  const { replicas, ledger } = steady;
  const load = steady.load();
  for (const old of replicas.all) {
    const successor = await replicas.start();
    await replicas.hasJoined(successor);
    await replicas.terminate(old);
  }
  await runsEnd(() => load.ended);
  await load.stop();
  expect([...load.faults, ...ledger.faults]).toEqual([]);
  expect([ledger.takenUp, ledger.ledger.repeatedCalls]).toEqual([0, 0]);
}, 180_000);
