import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FlowgateModule, InMemoryRunStore } from '../../src/index.js';
import { serviceOf, startService, type Service } from '../support/service.js';
import { bound, document, mock, remote } from '../support/workflow-documents.js';
import { runsStored } from '../support/runs-stored.js';

const OF_A_UNIT = { 'X-Flowgate-Run-Id': '01990000-0000-7000-8000-000000000001' };
const REFUSED = {
  status: 403,
  body: {
    error: expect.stringMatching(/^This is the call of a unit.* set FLOWGATE_ALLOW_SELF_CALLS=true$/),
    code: 'self-call',
  },
};

describe('a workflow that is bound to the start of itself, twice in a parallel', () => {
  let app: INestApplication;
  let service: Service;
  let store: InMemoryRunStore;

  beforeEach(async () => {
    store = new InMemoryRunStore();
    @Module({ imports: [FlowgateModule.forRoot({ store, prefix: 'flows' })] })
    class HostModule {}
    app = await NestFactory.create(HostModule, { logger: false });
    await app.listen(0, '127.0.0.1');
    service = serviceOf(app, '/flows');
  });
  afterEach(() => app.close());

  const runsStarted = () => runsStored(store);

  it.each(['/workflows/again/runs', '/mcp'])('starts once, by %s', async (path) => {
    const yaml = document('again', [remote('a'), remote('b')], {
      flow: { type: 'parallel', units: ['a', 'b'] },
      policy: { retry: { baseMs: 1, jitter: false } },
    });
    const endpoint = `${service.url}${path}`;
    await service.register(yaml, { ...bound('a', endpoint), ...bound('b', endpoint) });
    const record = await service.start('again');
    expect(record.status).toBe('failed');
    expect(record.error).toMatch(
      /^Unit [ab] failed after 1 attempt\(s\): HTTP 403: .*FLOWGATE_ALLOW_SELF_CALLS/,
    );
    expect(await runsStarted()).toHaveLength(1);
  });
});

describe('the call of a unit', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
    await service.register(document('plain', [mock('a')]));
  });
  afterAll(() => service.close());

  it.each([
    ['/workflows/plain/runs', {}],
    ['/workflows/from-yaml', { yaml: document('other', [mock('a')]) }],
    ['/workflows/plain/runs/x/resume', {}],
    ['/workflows/plain/runs/x/hitl', { approved: true }],
    ['/mcp', { method: 'initialize' }],
    // The target and the body are not examined.
    ['/workflows/nobody/runs', '{'],
    ['/mcp', '{'],
  ])('to POST %s is refused', async (path, body) => {
    expect(await service.post(path, body, OF_A_UNIT)).toMatchObject(REFUSED);
  });

  it('may read', async () => {
    const { workflowId, runId } = await service.start('plain');
    for (const path of ['/health', '/workflows', `/workflows/${workflowId}/runs/${runId}`]) {
      expect((await service.call('GET', path, { headers: OF_A_UNIT })).status).toBe(200);
    }
  });
});

it('a unit may start another workflow of the same service where a setting allows it', async () => {
  const service = await startService({ FLOWGATE_ALLOW_SELF_CALLS: 'true' });
  await service.register(document('inner', [mock('a')]));
  await service.register(
    document('outer', [remote('start')]),
    bound('start', `${service.url}/workflows/inner/runs`),
  );
  const record = await service.start('outer');
  expect(record.result?.state['output.start']).toMatchObject({ workflowId: 'inner' });
  await service.close();
});
