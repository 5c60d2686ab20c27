// Builds and starts the service on Node 22, the oldest line it supports: health, register, run, then SIGTERM, which must
// end it with exit code 0 within ten seconds. Also starts it on the machine's own Node, if that is too old: it must
// end at once with one clear line. Node 22 comes from the registry through npm, like Node 24 (decision 0002).
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { otherNode } from './other-node.mjs';

const NODE_22 = '22.23.3';
const OLDEST_SUPPORTED = [22, 13];
const START_DEADLINE_MS = 20_000;
const STOP_DEADLINE_MS = 10_000;

const main = resolve('dist/main.js');
const folder = resolve('.tmp/smoke-node22');

const yaml = `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: smoke }
spec:
  units:
    - { id: greet, uses: builtin.mock, config: { response: hello } }
  flow: { type: sequential, order: [greet] }
`;

/**
 * The build must work there too: whoever has only Node 22 starts from the sources. All of its steps, since what it leaves in dist
 * is what every later check starts.
 */
function build(node) {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const step of scripts.build.split(' && ')) {
    const [program, ...args] = step.split(' ');
    const script = { node: [], tsc: ['node_modules/typescript/bin/tsc'] }[program];
    assert.ok(script, `npm run build has a step that is neither node nor tsc: ${step}`);
    execFileSync(node, [...script, ...args], { stdio: 'inherit' });
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The service as a child process, in a folder of its own, with everything it says kept for the error message. */
function startService(node, port) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const child = spawn(node, [main], {
    cwd: folder,
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const service = { child, said: '', ended: once(child, 'exit') };
  child.stdout.on('data', (chunk) => (service.said += chunk));
  child.stderr.on('data', (chunk) => (service.said += chunk));
  return service;
}

/** What `promise` gives, or the text of a deadline that passed. */
const within = (milliseconds, promise, message) =>
  Promise.race([promise, delay(milliseconds, undefined, { ref: false }).then(() => assert.fail(message))]);

async function call(base, path, body) {
  const response = await fetch(`${base}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  return { status: response.status, body: await response.json() };
}

async function untilHealthy(service, base) {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline) {
    assert.equal(service.child.exitCode, null, 'The service ended before it was healthy.');
    const health = await call(base, '/health').catch(() => null);
    if (health?.body.ok === true) return;
    await delay(100);
  }
  assert.fail(`GET /health did not answer { ok: true } within ${START_DEADLINE_MS} ms.`);
}

async function smoke(node) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const service = startService(node, port);
  try {
    await untilHealthy(service, base);
    const registered = await call(base, '/workflows/from-yaml', { yaml });
    assert.equal(registered.status, 201, JSON.stringify(registered.body));
    assert.equal(registered.body.workflowId, 'smoke');
    const started = await call(base, '/workflows/smoke/runs', { sync: true });
    assert.equal(started.status, 202, JSON.stringify(started.body));
    assert.equal(started.body.status, 'completed', started.body.error);
    assert.equal(started.body.result.state['output.greet'], 'hello');

    service.child.kill('SIGTERM');
    const [code, signal] = await within(
      STOP_DEADLINE_MS,
      service.ended,
      `The service did not end within ${STOP_DEADLINE_MS} ms of SIGTERM.`,
    );
    assert.equal(code, 0, `After SIGTERM the service ended with code ${code}, signal ${signal}.`);
  } catch (error) {
    process.stderr.write(`${service.said}\n`);
    throw error;
  } finally {
    service.child.kill('SIGKILL');
  }
}

/** The first Node on PATH that this repository did not bring, if it is too old for the service. */
function tooOldNode() {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(directory, 'node');
    if (directory.includes('node_modules') || !existsSync(node)) continue;
    const version = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
    const [major, minor] = version.split('.').map(Number);
    const [oldestMajor, oldestMinor] = OLDEST_SUPPORTED;
    const isTooOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
    return isTooOld ? { node, version } : null;
  }
  return null;
}

async function refusesOldNode({ node, version }) {
  const service = startService(node, await freePort());
  try {
    const [code] = await within(5_000, service.ended, `On Node ${version} the service did not end at once.`);
    assert.equal(code, 1, `On Node ${version} the service ended with code ${code}, not 1.`);
    const lines = service.said.trim().split('\n');
    assert.equal(
      lines.length,
      1,
      `On Node ${version} the service must say one line, and said:\n${service.said}`,
    );
    assert.match(lines[0], /Node.*22\.13/, 'The line must name the oldest Node that works.');
  } finally {
    service.child.kill('SIGKILL');
  }
}

/** The command line: a workflow is checked and run without a server. */
function smokeCommandLine(node) {
  const flowgate = (...args) =>
    execFileSync(node, ['dist/cli/flowgate.js', ...args], { input: yaml, encoding: 'utf8' });
  assert.match(flowgate('validate', '-'), /is valid: workflow smoke/);
  assert.equal(JSON.parse(flowgate('run', '-', '--quiet')).status, 'completed');
}

assert.ok(existsSync(main), 'dist/main.js is missing: run `npm run build` first.');
const oldest = otherNode(NODE_22);
build(oldest);
await smoke(oldest);
smokeCommandLine(oldest);
process.stdout.write(`Node ${NODE_22}: health, register, run and SIGTERM are fine, and the command line.\n`);
const old = tooOldNode();
if (old === null) {
  process.stdout.write(
    'No Node older than 22.13 on this machine: the refusal of old versions was not checked.\n',
  );
} else {
  await refusesOldNode(old);
  process.stdout.write(`Node ${old.version}: ends at once with one line.\n`);
}
rmSync(folder, { recursive: true, force: true });
