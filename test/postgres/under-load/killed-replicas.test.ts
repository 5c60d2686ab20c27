import { setTimeout as delay } from 'node:timers/promises';
import { Choices, printedSeed } from '../../crash/support/choices.js';
import { CRASH_WORKFLOWS } from '../../crash/support/crash-workflows.js';
import { Crowd } from '../../crash/support/crowd.js';
import { faultsOf } from '../../crash/support/run-verdict.js';
import { KILLS } from '../support/counts.js';
import { startSteadyReplicas, type SteadyReplicas } from '../support/steady-replicas.js';
import { allCalledAgainAfter, inFlightAtEach } from '../support/taken-up.js';

const TAKEN_UP_WITHIN_MS = 2_000;
const DISPERSE_WITHIN_MS = 60_000;

const choices = new Choices(printedSeed('killed replicas'));
let steady: SteadyReplicas;
afterEach(() => steady?.close());

it(
  `whoever lives takes up within ${TAKEN_UP_WITHIN_MS} ms what is in flight at one of three that is killed, ${KILLS} times`,
  async () => {
    steady = await startSteadyReplicas({ choices });
    const { replicas, ledger } = steady;
    const load = steady.load();
    const times: number[] = [];
    for (let kills = 0; kills < KILLS; kills += 1) {
      await Promise.all(replicas.all.map((replica) => replicas.hasJoined(replica)));
      const victim = replicas.any();
      await inFlightAtEach(ledger, [victim.name]);
      await delay(choices.between(0, 50));
      const keys = ledger.inFlightAt([victim.name]);
      const instant = Date.now();
      await replicas.kill(victim);
      if (keys.length > 0) times.push(await allCalledAgainAfter(ledger, keys, instant));
      await replicas.start();
    }
    await load.stop();
    const sorted = times.toSorted((a, b) => a - b);
    process.stdout.write(
      `${KILLS} kills, ${load.ended} runs, taken up after ${sorted[0]} to ${sorted.at(-1)} ms (median ` +
        `${sorted[Math.floor(sorted.length / 2)]})\n`,
    );
    expect([...load.faults, ...ledger.faults]).toEqual([]);
    expect(load.ended).toBeGreaterThan(KILLS);
    // Some die with nothing in flight.
    expect(times.length).toBeGreaterThan(KILLS / 3);
    expect(sorted.at(-1)).toBeLessThanOrEqual(TAKEN_UP_WITHIN_MS);
  },
  60_000 + KILLS * 10_000,
);

it(
  'every promise is kept to clients who decide, pause, cancel and go back while replicas are killed',
  async () => {
    steady = await startSteadyReplicas({ choices, workflows: CRASH_WORKFLOWS, unitMs: [0, 40] });
    const { replicas, ledger } = steady;
    const client = replicas.client();
    const crowd = new Crowd(client, CRASH_WORKFLOWS, choices.fork(), { size: 12 });
    const kills = Math.ceil(KILLS / 3);
    for (let count = 0; count < kills; count += 1) {
      await delay(choices.between(100, 1_500));
      await replicas.kill(replicas.any());
      await replicas.start();
    }
    await delay(1_000);
    await crowd.disperse(DISPERSE_WITHIN_MS);
    const verdicts = await Promise.all(crowd.driven.map((run) => faultsOf(run, client, ledger.ledger)));
    process.stdout.write(
      `${kills} kills, ${crowd.driven.length} runs, ${ledger.ledger.size} executions, ${ledger.takenUp} taken up\n`,
    );
    expect([...crowd.faults, ...ledger.faults, ...verdicts.flat()]).toEqual([]);
    expect(crowd.driven.length).toBeGreaterThan(12);
  },
  150_000 + KILLS * 5_000,
);
