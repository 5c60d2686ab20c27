import { setTimeout as delay } from 'node:timers/promises';
import type { UnitServer } from '../support/unit-server.js';
import { Choices, printedSeed } from './support/choices.js';
import { CRASH_WORKFLOWS } from './support/crash-workflows.js';
import { Crowd } from './support/crowd.js';
import { ExecutionLedger } from './support/execution-ledger.js';
import { startLedgerUnits, type UnitHabits } from './support/ledger-units.js';
import { faultsOf } from './support/run-verdict.js';
import { ServiceHost } from './support/service-host.js';
import { until } from './support/until.js';

const STOPS = 3;
/** Most orchestrators kill a process after this time. */
const STOPPED_WITHIN_MS = 10_000;
const DISPERSE_WITHIN_MS = 60_000;

const choices = new Choices(printedSeed('graceful stop'));
let ledger: ExecutionLedger;
let units: UnitServer;
let host: ServiceHost;

async function open(habits: UnitHabits, environment: Readonly<Record<string, string>> = {}): Promise<void> {
  ledger = new ExecutionLedger();
  units = await startLedgerUnits(ledger, choices.fork(), habits);
  host = new ServiceHost({ ledger, workflows: CRASH_WORKFLOWS, unitsUrl: units.url, environment });
  await host.start();
}
afterEach(async () => {
  await host.close();
  await units.close();
});

async function stop(): Promise<void> {
  const before = Date.now();
  expect((await host.current.terminate()).code).toBe(0);
  expect(Date.now() - before).toBeLessThan(STOPPED_WITHIN_MS);
}

describe('SIGTERM under load', () => {
  it('loses nothing and calls no unit again that had time to respond', async () => {
    await open({ longestMs: 100, failures: 0.02, longResults: 0.05 });
    const client = host.client();
    const crowd = new Crowd(client, CRASH_WORKFLOWS, choices.fork(), { size: 12 });
    for (let stops = 0; stops < STOPS; stops += 1) {
      await delay(choices.between(100, 800));
      await stop();
      await host.start();
    }
    await crowd.disperse(DISPERSE_WITHIN_MS);
    await stop();
    await host.start();
    const verdicts = await Promise.all(crowd.driven.map((run) => faultsOf(run, client, ledger)));
    expect([...crowd.faults, ...ledger.faults, ...verdicts.flat()]).toEqual([]);
    expect(ledger.answeredAndCalledAgain()).toEqual([]);
  }, 150_000);

  it('does not wait for a unit beyond its grace: the next process calls it again under the same key', async () => {
    await open(
      { shortestMs: 800, longestMs: 800, failures: 0, longResults: 0 },
      { FLOWGATE_SHUTDOWN_GRACE_MS: '100' },
    );
    const client = host.client();
    const path = '/workflows/sequential/runs';
    const answer = await client.post(path, { input: { token: 'slow' } }, { key: 'slow' });
    await until(() => ledger.size === 1, 'the first unit is called');
    await stop();
    await host.start();
    const record = async () => (await client.get(`${path}/${answer?.body.runId}`)).body;
    await until(async () => (await record()).status === 'completed', 'the run is completed');
    expect([...ledger.faults]).toEqual([]);
    expect([ledger.size, ledger.calls]).toEqual([5, 6]);
  }, 60_000);

  it('waits as long as its grace says, also beyond the ten seconds after which most would be killed', async () => {
    await open(
      { shortestMs: 10_500, longestMs: 10_500, failures: 0, longResults: 0 },
      { FLOWGATE_SHUTDOWN_GRACE_MS: '600000' },
    );
    const answer = host
      .client()
      .post('/workflows/sequential/runs', { input: { token: 'slow' }, sync: true }, { key: 'slow' });
    await until(() => ledger.size === 1, 'the first unit is called');
    expect((await host.current.terminate()).code).toBe(0);
    expect((await answer)?.body.status).toBe('running');
    expect(host.current.output).toContain(
      '0 unit(s) and 1 run(s) left in flight, which go on at the next start',
    );
    expect(ledger.answeredAndCalledAgain()).toEqual([]);
  }, 60_000);
});
