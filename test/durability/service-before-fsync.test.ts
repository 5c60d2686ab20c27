import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FlowgateModule } from '../../src/index.js';
import { aWhile, DurableEngines, outcomeOf } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { SteeredStore } from '../support/durability-store.js';
import { serviceOf, type Service } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, gate, remote } from '../support/workflow-documents.js';

const folders = new DurableEngines();
let service: Service;
let store: SteeredStore;
let units: UnitServer;

beforeAll(async () => {
  units = await startUnitServer();
  store = new SteeredStore(folders.folder());
  @Module({ imports: [FlowgateModule.forRoot({ store, prefix: '' })] })
  class HostModule {}
  const app = await NestFactory.create(HostModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  service = serviceOf(app);
  await service.register(document('w', [remote('first'), gate('agree'), remote('last')]), {
    ...bound('first', `${units.url}/first`),
    ...bound('last', `${units.url}/last`),
  });
});

afterAll(async () => {
  store.release();
  await service.close();
  await units.close();
  await folders.clear();
});

/** Everything that the service shows of a run. */
async function shownOf(runId: string) {
  const path = `/workflows/w/runs/${runId}`;
  const answers = await Promise.all(
    ['', '/messages', '/snapshots'].map((what) => service.get(`${path}${what}`)),
  );
  return answers.map(({ status, body }) => ({ status, body }));
}

describe('the service, while its store does not confirm a write', () => {
  it('answers no start, shows no such run, and calls no remote unit', async () => {
    store.hold();
    const starting = service.post('/workflows/w/runs', {});
    const outcome = outcomeOf(starting);
    await until(() => store.heldBack === 1, 'the start is held back');
    await aWhile();
    expect(outcome.isOpen).toBe(true);
    expect(units.requests).toHaveLength(0);
    expect((await shownOf(store.asked.at(-1)!.runId)).map(({ status }) => status)).toEqual([404, 404, 404]);
    store.release();
    expect(await starting).toMatchObject({ status: 202, body: { status: 'running' } });
  });

  it.each([
    // The gate opens again after the rewind; only the decision lets the last unit be called.
    { what: 'hitl', body: { approved: true }, calls: 1 },
    { what: 'resume', body: null, calls: 0 },
  ])('answers no $what, and shows the run as it was', async ({ what, body, calls }) => {
    const { runId } = await service.start('w');
    const before = await shownOf(runId);
    const called = units.requests.length;
    const path = `/workflows/w/runs/${runId}`;
    store.hold();
    const snapshotId = before[2]!.body.snapshots.at(-1).snapshotId;
    const steering = service.post(`${path}/${what}`, body ?? { snapshotId });
    const outcome = outcomeOf(steering);
    await until(() => store.heldBack === 1, 'the write is held back');
    await aWhile();
    expect(outcome.isOpen).toBe(true);
    expect(await shownOf(runId)).toEqual(before);
    expect(units.requests).toHaveLength(called);
    store.release();
    expect((await steering).status).toBe(200);
    expect(units.requests).toHaveLength(called + calls);
    expect(await shownOf(runId)).not.toEqual(before);
  });
});
