import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Engine } from '../../src/index.js';
import { forward } from '../support/forward.js';
import { startService, type Service } from '../support/service.js';
import { visit } from './support/browser.js';

/** No `unsafe-eval`, nothing inline, nothing from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";

const YAML = `apiVersion: flowgate/v1
kind: Workflow
metadata: { id: "in a/browser ü %" }
spec:
  units:
    - { id: greet, uses: test.greet, with: { name: '\${{ input.name }}' } }
    - { id: agree, uses: builtin.approval, config: { title: 'Send it?' } }
  flow: { type: sequential, order: [greet, agree] }
`;

/** What the page does, as a module that it loads. */
const PAGE = `
import { FlowgateClient } from '/client.js';

const said = {};
const error = (promise) => promise.then(() => 'no error', ({ name, message, status, code }) => ({ name, message, status, code }));
try {
  try { new Function('return 1')(); said.eval = 'allowed'; } catch { said.eval = 'refused'; }
  const client = new FlowgateClient({ baseUrl: location.origin + '/api/flowgate/' });
  const yaml = ${JSON.stringify(YAML)};
  said.valid = await client.validateYaml(yaml);
  said.faults = (await client.validateYaml(yaml.replace('id: greet', 'id: 7')).catch((e) => e.faults)).map(({ path, line, column }) => [path, line, column]);
  said.path = await error(client.validateYaml('workflow.yaml'));
  said.registered = await client.loadAndRegister(yaml);
  const { workflowId } = said.registered;
  const paused = await client.startWorkflow(workflowId, { name: 'Ada 🚀' }, { sync: true });
  said.paused = paused.status;
  said.over = (await client.respondHITL(workflowId, paused.runId, true)).result.state;
  said.read = (await client.waitForRun(workflowId, paused.runId)).status;
  said.messages = (await client.getMessages(workflowId, paused.runId)).messages.length > 0;
  said.health = (await client.health()).workflows;
  said.search = Array.isArray((await client.searchMemory('Ada')).results);
  said.unknown = await error(client.startWorkflow('nobody'));
  said.redirect = await error(new FlowgateClient({ baseUrl: location.origin + '/moved', retries: 0 }).health());
  said.nobody = await error(new FlowgateClient({ baseUrl: location.origin + '/cut', retries: 0 }).health());
  said.inProcess = await error(new FlowgateClient().health());
  const controller = new AbortController();
  const call = client.health({ signal: controller.signal });
  controller.abort();
  said.aborted = (await error(call)).name;
} catch (error) {
  said.failed = String(error?.stack ?? error);
}
await fetch('/report', { method: 'POST', body: JSON.stringify(said) });
`;

interface Site {
  readonly url: string;
  readonly report: Promise<Readonly<Record<string, unknown>>>;
  close(): void;
}

/** One origin: the page, its scripts, and under a path the service, as a proxy in front of both would have it. */
async function site(service: Service): Promise<Site> {
  let hear!: (said: Readonly<Record<string, unknown>>) => void;
  const report = new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    hear = resolve;
    setTimeout(() => reject(new Error('The page did not report: does its script load?')), 30_000).unref();
  });
  const files: Readonly<Record<string, readonly [string, string]>> = {
    '/': ['text/html', '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', PAGE],
    '/client.js': ['text/javascript', readFileSync('clients/typescript/dist/esm/browser.js', 'utf8')],
  };
  const server = createServer((request, response) => {
    const { url = '' } = request;
    response.setHeader('Content-Security-Policy', POLICY);
    if (url === '/report') {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => hear(JSON.parse(text) as Readonly<Record<string, unknown>>));
      response.end();
    } else if (url.startsWith('/api/flowgate/')) {
      const { port } = new URL(service.url);
      forward(request, response, { port: Number(port), path: url.slice('/api/flowgate'.length) });
    } else if (url.startsWith('/moved')) response.writeHead(308, { location: '/api/flowgate/health' }).end();
    else if (url.startsWith('/cut')) response.destroy();
    else {
      const [type, body] = files[url] ?? ['text/plain', ''];
      response.setHeader('Content-Type', `${type}; charset=utf-8`);
      response.end(body);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    report,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

it('the client works in a browser, on a page that forbids eval, without a bundler', async () => {
  execFileSync(process.execPath, ['clients/typescript/build.mjs', '--js'], { stdio: 'pipe' });
  const service = await startService();
  service.app.get(Engine).registerUnit('test.greet', ({ input }) => {
    const { name } = input as { readonly name: string };
    return `Hello ${name}`;
  });
  const pages = await site(service);
  const said = await visit(pages.url, () => pages.report).finally(async () => {
    pages.close();
    await service.close();
  });

  const id = 'in a/browser ü %';
  expect(said).toEqual({
    eval: 'refused',
    valid: { ok: true, workflowId: id },
    faults: [['/spec/units/0/id', 6, 13]],
    path: expect.objectContaining({ name: 'FlowgateValidationError', status: 400 }),
    registered: { workflowId: id },
    paused: 'paused',
    over: expect.objectContaining({
      name: 'Ada 🚀',
      'output.greet': 'Hello Ada 🚀',
      'hitl.responder': 'sdk',
    }),
    read: 'completed',
    messages: true,
    health: [id],
    search: true,
    unknown: {
      name: 'FlowgateApiError',
      message: 'Unknown workflow: nobody',
      status: 500,
      code: 'unknown-workflow',
    },
    redirect: expect.objectContaining({
      name: 'FlowgateApiError',
      message: expect.stringContaining('does not follow'),
    }),
    nobody: expect.objectContaining({
      name: 'FlowgateUnreachableError',
      message: expect.stringContaining('cannot be reached (Failed to fetch)'),
    }),
    inProcess: expect.objectContaining({
      code: 'ENGINE_MISSING',
      message: expect.stringContaining('baseUrl'),
    }),
    aborted: 'AbortError',
  });
});
