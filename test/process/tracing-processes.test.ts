import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOtlpReceiver } from '../support/otlp-receiver.js';
import { startProcess, type ServiceProcess } from '../support/service-process.js';
import { eventually } from '../support/eventually.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { document, remote } from '../support/workflow-documents.js';

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let unit: UnitServer;
let folder: string;
const services: ServiceProcess[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flowgate-traced-'));
  receiver = await startOtlpReceiver();
  unit = await startUnitServer();
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.clear()));
  await receiver.close();
  await unit.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(): ServiceProcess {
  const service = startProcess({
    FLOWGATE_STORE: 'sqlite',
    FLOWGATE_DATA_DIR: folder,
    FLOWGATE_REGISTRY: 'durable',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_SERVICE_NAME: 'orders',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  });
  services.push(service);
  return service;
}

async function post(url: string, body: object): Promise<{ readonly runId: string }> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return (await answer.json()) as { readonly runId: string };
}

const traceparents = (): readonly unknown[] => unit.requests.map(({ headers }) => headers['traceparent']);

describe('a run that continues after the process died', () => {
  it('is the same trace: the attempt has the same name, and is one span below that of the run', async () => {
    const first = start();
    const address = await first.listening();
    const { uses } = remote('extract');
    const yaml = document('traced', [remote('extract'), { ...remote('then'), uses }]);
    const bindings = { [uses]: { type: 'http', endpoint: unit.url } };
    await post(`${address}/workflows/from-yaml`, { yaml, bindings });
    // The unit hangs until the process is gone.
    unit.answer(() => new Promise(() => undefined));
    const { runId } = await post(`${address}/workflows/traced/runs`, {});
    await unit.received(1);
    first.child.kill('SIGKILL');
    await first.ended();

    unit.answer({ body: { content: 'done' } });
    const second = start();
    const again = await second.listening();
    await unit.received(3);
    await eventually(
      () => fetch(`${again}/metrics`).then((answer) => answer.text()),
      (text) => text.includes('flowgate_runs_ended_total{status="completed"} 1'),
    );
    second.child.kill('SIGTERM');
    await second.ended();

    const spans = receiver.spans();
    expect(spans.map(({ name }) => name).toSorted()).toEqual(['run traced', 'unit extract', 'unit then']);
    const run = spans.find(({ name }) => name === 'run traced')!;
    expect(spans.map(({ traceId }) => traceId)).toEqual(Array(3).fill(runId.replaceAll('-', '')));
    for (const { name, parentSpanId } of spans)
      if (name !== 'run traced') expect(parentSpanId).toBe(run.spanId);
    const [called, calledAgain] = traceparents();
    expect(calledAgain).toBe(called);
    expect(run.resource).toMatchObject({ 'service.name': 'orders', 'deployment.environment': 'test' });
  }, 60_000);
});

describe('a start without the packages that send spans', () => {
  const withoutSdk = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier.startsWith('@opentelemetry/') && specifier !== '@opentelemetry/api') {
          throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' });
        }
        return next(specifier, context);
      },
    });
    await import('./main.js');
  `;

  it('ends with a sentence that says what to install, where an endpoint is set', async () => {
    const service = startProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }, { script: withoutSdk });
    services.push(service);
    expect(await service.ended()).toEqual({ code: 1, signal: null });
    const packages =
      '@opentelemetry/exporter-trace-otlp-http@0.223 @opentelemetry/resources@2 @opentelemetry/sdk-trace@2';
    expect(service.said.stderr.trim()).toBe(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set: the service then needs ${packages.replaceAll(' ', ', ')}, not found beside ` +
        `flowgate: run \`npm install ${packages}\`, or, in no project, \`npx -p flowgate -p ${packages.replaceAll(' ', ' -p ')} flowgate serve\`.`,
    );
  });

  it('is a start like any other where none is', async () => {
    const service = startProcess({}, { script: withoutSdk });
    services.push(service);
    const address = await service.listening();
    expect((await fetch(`${address}/metrics`)).status).toBe(200);
  });

  it('never shows an invalid endpoint, for there may be a password in it', async () => {
    const service = startProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: 'ann:hunter2@collector' });
    services.push(service);
    expect(await service.ended()).toEqual({ code: 1, signal: null });
    expect(service.said.stderr).toMatch(
      /^OTEL_EXPORTER_OTLP_ENDPOINT is its value \(not shown\): it must be an absolute http or https URL/,
    );
    expect(service.said.stderr + service.said.stdout).not.toContain('hunter2');
  });
});
