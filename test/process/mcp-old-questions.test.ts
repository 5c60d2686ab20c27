import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess, type ServiceProcess } from '../support/service-process.js';
import type { Body } from '../support/service.js';
import { document, gate } from '../support/workflow-documents.js';

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};
const RUN = { name: 'run_workflow', arguments: { workflowId: 'gated', sync: true } };
const YES = { decision: { action: 'accept', content: { approved: true } } };

let folder: string;
let service: ServiceProcess;
let address: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flowgate-old-questions-'));
});
afterEach(async () => {
  await service.clear();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

/** Questions outlive a process only where there is a key to sign them with. */
async function start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  service = startProcess({
    FLOWGATE_STORE: 'sqlite',
    FLOWGATE_DATA_DIR: folder,
    FLOWGATE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...environment,
  });
  address = await service.listening();
}

async function posted(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Body;
}

async function called(params: object): Promise<Body> {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: META } };
  const { result } = await posted('/mcp', request, {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': RUN.name,
  });
  return result;
}

it('a client that was asked before agents lost decisions decides nothing after it', async () => {
  await start();
  await posted('/workflows/from-yaml', { yaml: document('gated', [gate('agree')]) });
  const { requestState } = await called(RUN);
  expect(requestState).toEqual(expect.any(String));
  service.child.kill('SIGTERM');
  await service.ended();
  await service.clear();

  await start({ FLOWGATE_MCP_TOOLS: 'default,-respond_hitl' });
  const answered = await called({ ...RUN, requestState, inputResponses: YES });
  expect(answered.structuredContent).toMatchObject({ workflowId: 'gated', status: 'paused' });
});
