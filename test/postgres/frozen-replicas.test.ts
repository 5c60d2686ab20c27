import { setTimeout as delay } from 'node:timers/promises';
import { Choices, printedSeed } from '../crash/support/choices.js';
import { counted } from './support/counts.js';
import { startProxy, type Proxy } from './support/proxy.js';
import { sharedServer } from './support/server.js';
import { startSteadyReplicas, type SteadyReplicas } from './support/steady-replicas.js';
import { allCalledAgainAfter, inFlightAtEach } from './support/taken-up.js';

const TAKEN_UP_WITHIN_MS = 5_000;
/** After the last answer of the database a replica owns what it owned for 2 s; some more for a busy machine. */
const OWNS_FOR_MS = 2_500;
const TIMES = counted(10);
/** Long enough that others own what it owned, and have gone on. */
const FROZEN_FOR_MS = 6_000;
/** Longer than the replica waits for any answer: what it had sent is carried out when it has given that up, and lost its shards. */
const WAY_FROZEN_FOR_MS = 15_000;
/** What a thawed replica does wrong, it does at once. */
const THAWED_FOR_MS = 2_000;

const choices = new Choices(printedSeed('frozen replicas'));
let steady: SteadyReplicas;
let proxy: Proxy | null = null;
afterEach(async () => {
  proxy?.thaw();
  await steady?.close();
  await proxy?.close();
  proxy = null;
});

it(
  `a process that is stopped by SIGSTOP is taken up within ${TAKEN_UP_WITHIN_MS} ms, and once it goes on it changes and calls nothing twice`,
  async () => {
    steady = await startSteadyReplicas({ choices });
    const { replicas, ledger } = steady;
    const load = steady.load();
    for (let times = 0; times < TIMES; times += 1) {
      await Promise.all(replicas.all.map((replica) => replicas.hasJoined(replica)));
      const victim = replicas.any();
      const keys = await inFlightAtEach(ledger, [victim.name]);
      const instant = Date.now();
      await replicas.freeze(victim);
      const after = await allCalledAgainAfter(ledger, keys, instant);
      process.stdout.write(`SIGSTOP: taken up after ${after} ms\n`);
      expect(after).toBeLessThanOrEqual(TAKEN_UP_WITHIN_MS);
      await delay(Math.max(0, instant + FROZEN_FOR_MS - Date.now()));
      replicas.thaw(victim);
      await delay(THAWED_FOR_MS);
      // It takes part again, rather than sit there with a session that is gone.
      expect(await (await fetch(`${victim.url}/health/ready`)).json()).toEqual({ ok: true });
    }
    await load.stop();
    expect([...load.faults, ...ledger.faults]).toEqual([]);
    expect(load.ended).toBeGreaterThan(0);
  },
  60_000 + TIMES * 30_000,
);

it(
  `a replica whose way to the database is frozen is taken up within ${TAKEN_UP_WITHIN_MS} ms, and stops calling units before that`,
  async () => {
    steady = await startSteadyReplicas({ choices, count: 2 });
    const { replicas, ledger, database } = steady;
    proxy = await startProxy(sharedServer().port);
    const victim = await replicas.start({ through: proxy.through(database!.url) });
    const load = steady.load();
    for (let times = 0; times < TIMES; times += 1) {
      await Promise.all(replicas.all.map((replica) => replicas.hasJoined(replica)));
      const keys = await inFlightAtEach(ledger, [victim.name]);
      const instant = Date.now();
      // Nobody asks it for anything meanwhile: what it would answer is 503.
      victim.isFrozen = true;
      const after = await replicas.disturbed([victim], async () => {
        proxy?.freeze();
        return allCalledAgainAfter(ledger, keys, instant);
      });
      process.stdout.write(`A frozen way: taken up after ${after} ms\n`);
      expect(after).toBeLessThanOrEqual(TAKEN_UP_WITHIN_MS);
      const others = replicas.names.filter((name) => name !== victim.name);
      for (const key of keys) expect(others).toContain(ledger.newestCaller(key));
      await delay(Math.max(0, instant + WAY_FROZEN_FOR_MS - Date.now()));
      // It knew by its own clock that it owned nothing any more, before anybody else could.
      expect(ledger.lastCallOf(victim.name) - instant).toBeLessThanOrEqual(OWNS_FOR_MS);
      proxy.thaw();
      await delay(THAWED_FOR_MS);
      victim.isFrozen = false;
      expect(await (await fetch(`${victim.url}/health/ready`)).json()).toEqual({ ok: true });
    }
    await load.stop();
    expect([...load.faults, ...ledger.faults]).toEqual([]);
    expect(load.ended).toBeGreaterThan(0);
  },
  60_000 + TIMES * 30_000,
);
