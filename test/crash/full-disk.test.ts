import { setTimeout as delay } from 'node:timers/promises';
import type { UnitServer } from '../support/unit-server.js';
import { Choices, printedSeed } from './support/choices.js';
import { CRASH_WORKFLOWS } from './support/crash-workflows.js';
import { Crowd } from './support/crowd.js';
import { ExecutionLedger } from './support/execution-ledger.js';
import { diskLimit, type LimitedDisk } from './support/full-disk.js';
import { startLedgerUnits } from './support/ledger-units.js';
import { until } from './support/until.js';
import { faultsOf } from './support/run-verdict.js';
import { ServiceHost } from './support/service-host.js';

const FULL_FOR_MS = 1_500;
const DISPERSE_WITHIN_MS = 60_000;

const seed = printedSeed('full disk');

const limit = diskLimit();

(limit === undefined ? describe.skip : describe)(
  `a disk that is full (${limit?.name ?? 'not possible here'})`,
  () => {
    const choices = new Choices(seed);
    let ledger: ExecutionLedger;
    let disk: LimitedDisk;
    let units: UnitServer;
    let host: ServiceHost;
    let crowd: Crowd;

    beforeEach(async () => {
      ledger = new ExecutionLedger();
      disk = limit!.open();
      units = await startLedgerUnits(ledger, choices.fork(), {
        longestMs: 40,
        failures: 0.02,
        longResults: 0.2,
      });
      host = new ServiceHost({ ledger, workflows: CRASH_WORKFLOWS, unitsUrl: units.url, dataDir: disk.path });
      await host.start();
      crowd = new Crowd(host.client(), CRASH_WORKFLOWS, choices.fork(), { size: 8 });
      await until(() => crowd.driven.length >= 5, 'five runs have ended');
      disk.fill(host.current.pid);
      await until(async () => (await health()) === 503, 'the service says that it cannot store');
      await delay(FULL_FOR_MS);
    }, 60_000);
    afterEach(async () => {
      await host.close();
      await units.close();
      disk.close();
    });

    const health = async () => (await fetch(`${await host.current.listening}/health`)).status;

    const verdict = async () => {
      const client = host.client();
      const verdicts = await Promise.all(crowd.driven.map((run) => faultsOf(run, client, ledger)));
      return [...crowd.faults, ...ledger.faults, ...verdicts.flat()];
    };

    it('stops nothing permanently: once there is space, runs continue, no run is lost, no unit is called twice', async () => {
      const runs = crowd.driven.length;
      disk.free(host.current.pid);
      await until(async () => (await health()) === 200, 'the service stores again');
      await until(() => crowd.driven.length >= runs + 5, 'five more runs have ended');
      await crowd.disperse(DISPERSE_WITHIN_MS);
      expect(ledger.life).toBe(1);
      await host.current.kill();
      await host.start();
      expect(await verdict()).toEqual([]);
    }, 120_000);

    it('costs a service nothing that dies while it is full', async () => {
      await host.current.kill();
      disk.free(process.pid);
      await host.start();
      await crowd.disperse(DISPERSE_WITHIN_MS);
      expect(await verdict()).toEqual([]);
    }, 120_000);
  },
);
