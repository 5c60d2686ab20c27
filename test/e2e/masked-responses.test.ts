import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { FlowgateModule, InMemoryRunStore } from '../../src/index.js';
import { eventually } from '../support/eventually.js';
import { serviceOf, type Service } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, remote } from '../support/workflow-documents.js';

const TOKEN = 't0ken-of-the-binding';
const SECRET = 'hunter2hunter2';

let app: INestApplication;
let service: Service;
let unit: UnitServer;
let store: InMemoryRunStore;
let logger: RecordingLogger;

beforeEach(async () => {
  store = new InMemoryRunStore();
  logger = new RecordingLogger();
  const secrets = { read: async () => SECRET };
  @Module({ imports: [FlowgateModule.forRoot({ store, logger, secrets, prefix: '' })] })
  class HostModule {}
  app = await NestFactory.create(HostModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  service = serviceOf(app);
  // It returns all that it received, as a unit for debugging would.
  unit = await startUnitServer(({ headers, body }) => ({
    body: { content: { finding: 'echoed', headers, body }, state: { seen: headers }, metadata: { headers } },
  }));
});
afterEach(async () => {
  await app.close();
  await unit.close();
});

const yaml = document('echo', [
  remote('extract', { config: { key: '${secret:KEY}' }, policyOverrides: { retry: { maxAttempts: 1 } } }),
]);

it('a unit that echoes all it received brings no secret into record, messages, log, snapshots or memory', async () => {
  const headers = { authorization: `Bearer ${TOKEN}`, 'x-second': '${secret:OTHER}' };
  await service.register(yaml, bound('extract', unit.url, { headers }));
  const record = await service.start('echo');
  expect(unit.requests[0]!.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'x-second': SECRET });
  expect(record.result?.state['output.extract']).toMatchObject({
    finding: 'echoed',
    headers: { authorization: '***', 'x-second': '***' },
  });

  const path = `/workflows/echo/runs/${record.runId}`;
  const found = await eventually(
    () => service.get('/memory/search?q=echoed'),
    ({ body }) => body.results.length > 0,
  );
  const { snapshots } = (await service.get(`${path}/snapshots`)).body as {
    snapshots: { snapshotId: string }[];
  };
  const shown = [
    record,
    found.body,
    (await service.get(path)).body,
    (await service.get(`${path}/messages`)).body,
    (await service.get(`${path}/snapshots/${snapshots[0]!.snapshotId}`)).body,
    await store.readAll({ afterPosition: 0, limit: 1_000 }),
    logger.said,
  ];
  expect(JSON.stringify(shown)).toContain('***');
  expect(JSON.stringify(shown)).not.toMatch(/t0ken-of|hunter2/);
});
