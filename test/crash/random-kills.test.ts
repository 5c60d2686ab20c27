import { setTimeout as delay } from 'node:timers/promises';
import type { UnitServer } from '../support/unit-server.js';
import { Choices, printedSeed } from './support/choices.js';
import { CRASH_WORKFLOWS } from './support/crash-workflows.js';
import { Crowd } from './support/crowd.js';
import { ExecutionLedger } from './support/execution-ledger.js';
import { KillMoments } from './support/kill-moments.js';
import { startLedgerUnits } from './support/ledger-units.js';
import { faultsOf } from './support/run-verdict.js';
import { ServiceHost } from './support/service-host.js';

const KILLS = Number(process.env['FLOWGATE_CRASH_KILLS'] ?? 200);
const CLIENTS = 12;
/** How long the unfinished runs may take after the last kill. */
/** Within this time a connection that a dead process had opened is accepted. */
const SENT_WITHIN_MS = 10;
const DISPERSE_WITHIN_MS = 60_000;

const choices = new Choices(printedSeed('random kills'));
const ledger = new ExecutionLedger();
const moments = new KillMoments(choices.fork());
let units: UnitServer;
let host: ServiceHost;

beforeAll(async () => {
  units = await startLedgerUnits(ledger, choices.fork(), {
    longestMs: 40,
    failures: 0.04,
    longResults: 0.05,
    onCall: (moment) => moments.passed(moment),
  });
  host = new ServiceHost({ ledger, workflows: CRASH_WORKFLOWS, unitsUrl: units.url });
});
afterAll(async () => {
  await host.close();
  await units.close();
});

it(
  `keeps every promise over ${KILLS} kills`,
  async () => {
    const client = host.client();
    const crowd = new Crowd(client, CRASH_WORKFLOWS, choices.fork(), { size: CLIENTS });
    await host.start();
    let kills = 0;
    // It proves little before each client has been through a run; how soon that is is left to chance.
    const isEnough = (): boolean => crowd.driven.length > CLIENTS || kills === 3 * KILLS;
    for (; kills < KILLS || !isEnough(); kills += 1) {
      await moments.next(host.current);
      await host.current.kill();
      // What the dead process had sent is in the sockets still: it must not be taken for a call of the next one.
      await delay(SENT_WITHIN_MS);
      await units.disconnected();
      host.launch();
    }
    await delay(1_000);
    await crowd.disperse(DISPERSE_WITHIN_MS);
    await host.current.kill();
    await host.start();

    const verdicts = await Promise.all(crowd.driven.map((run) => faultsOf(run, client, ledger)));
    process.stdout.write(
      `${kills} kills, ${crowd.driven.length} runs, ${ledger.size} executions, ${ledger.repeatedCalls} calls repeated\n`,
    );
    expect([...crowd.faults, ...ledger.faults, ...verdicts.flat()]).toEqual([]);
    expect(crowd.driven.length).toBeGreaterThan(CLIENTS);
  },
  90_000 + KILLS * 3 * 4_000,
);
