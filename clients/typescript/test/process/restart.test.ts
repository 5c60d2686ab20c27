import { FlowgateClient } from 'flowgate-client';
import { temporaryFolder } from '../../../../test/support/data-folder.js';
import { freePort } from '../../../../test/support/free-port.js';
import { startProcess } from '../../../../test/support/service-process.js';
import { startUnitServer, type Behaviour } from '../../../../test/support/unit-server.js';
import { bound, document, remote } from '../../../../test/support/workflow-documents.js';

it('a start that waits outlives a service that is killed and started again, and starts one run', async () => {
  const folder = await temporaryFolder();
  const environment = {
    PORT: String(await freePort()),
    FLOWGATE_STORE: 'sqlite',
    FLOWGATE_DATA_DIR: folder.path,
    FLOWGATE_REGISTRY: 'durable',
  };
  const never: Behaviour = () => new Promise(() => undefined);
  const unit = await startUnitServer(never);
  const first = startProcess(environment);
  const baseUrl = await first.listening();
  const client = new FlowgateClient({ baseUrl, retries: { count: 200, baseMs: 50, maxMs: 100 } });
  await client.loadAndRegister(document('patient', [remote('work')]), bound('work', unit.url) as never);

  const run = client.startWorkflow('patient', { n: 1 }, { sync: true });
  await unit.received(1);
  await first.clear();
  unit.answer({ body: { content: 'done' } });
  const second = startProcess(environment);
  const record = await run;

  expect(record).toMatchObject({ status: 'completed', result: { state: { n: 1, 'output.work': 'done' } } });
  const keys = new Set(unit.requests.map(({ headers }) => headers['idempotency-key']));
  const runs = new Set(unit.requests.map(({ headers }) => headers['x-flowgate-run-id']));
  expect([keys.size, runs.size]).toEqual([1, 1]);
  expect(await client.getRun('patient', record.runId)).toEqual(record);
  await second.clear();
  await unit.close();
  await folder.remove();
}, 60_000);
