// The command line of the MCP Inspector, a process a request: `ADDRESS REVISION ERA`, with an era of `legacy` or `modern`.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TOOLS } from './journey.mjs';

const COMMAND_WITHIN_MS = 20_000;
const INSPECTOR = new URL('../node_modules/.bin/mcp-inspector', import.meta.url).pathname;
const RESPONDER = 'inspector';
const GATE = 'mcp-gate';

const [address, revision, era] = process.argv.slice(2);
const run = promisify(execFile);

async function asked(method, ...flags) {
  const always = ['--cli', `${address}/mcp`, '--protocol-era', era, '--stored-auth-only', '--format', 'json'];
  const given = [INSPECTOR, ...always, '--method', method, ...flags];
  const { stdout } = await run(process.execPath, given, { timeout: COMMAND_WITHIN_MS });
  return JSON.parse(stdout).result;
}

async function called(name, given) {
  const flags = ['--tool-name', name, '--tool-args-json', JSON.stringify(given)];
  const { isError, content, structuredContent } = await asked('tools/call', ...flags);
  assert.notEqual(isError, true, content[0].text);
  assert.deepEqual(structuredContent, JSON.parse(content[0].text));
  return structuredContent;
}

const { protocolVersion } = await asked('initialize');
assert.equal(protocolVersion, revision, 'the revision that was negotiated');
const { tools } = await asked('tools/list', '--strict');
assert.deepEqual(tools.map(({ name }) => name).toSorted(), TOOLS.toSorted());
const { runId, status } = await called('run_workflow', {
  workflowId: GATE,
  input: { amount: 5 },
  sync: true,
});
assert.equal(status, 'paused');
await called('respond_hitl', { workflowId: GATE, runId, approved: true, responder: RESPONDER });
const record = await called('get_run', { workflowId: GATE, runId });
assert.equal(record.status, 'completed');
assert.equal(record.result.state['hitl.responder'], RESPONDER);
process.stdout.write(`${revision}, approved by tool\n`);
