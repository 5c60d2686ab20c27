// Installs the packed packages into fresh hosts as a team would, and asks each for the interface: `npm run test:hosts`,
// after `npm run build`. Names as arguments run those hosts alone. The folders lie outside the repository, because
// packages are looked for in every folder above.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { otherNode } from '../checks/other-node.mjs';
import { HOSTS } from './hosts.mjs';
import { compile, copiesOf, install, told, writeProject } from './host-project.mjs';
import { startHost } from './running-host.mjs';

const AT_ONCE = 2;
const SUITE_WITHIN_MS = 120_000;
/** Of the instance that asks who is asking; `app/main.ts` has its SHA-256. */
const BOOTSTRAP = 'made-up-for-the-matrix-of-hosts-and-nothing-else';
const TOKEN = { authorization: 'Bearer of-the-host' };
/** What no host here has asked for: it must not come along, and must not be missed. */
const ABSENT = ['@nestjs/swagger', '@nestjs/terminus', '@nestjs/axios', 'axios'];

const tarballs = resolve('.tmp', 'package');
const suite = resolve('test', 'interface', 'run.ts');

async function tryHost(host, root) {
  const began = Date.now();
  const folder = join(root, host.name);
  writeProject(folder, host, tarballs);
  await install(folder, host);
  const installed = Date.now();
  checkCopies(folder, host);
  // Ends with 1 where a peer is of another version than somebody wants.
  if (host.manager === 'npm') await told('npm', ['ls', '@nestjs/core', '@nestjs/common'], { cwd: folder });
  await compile(folder);
  const compiled = Date.now();
  const running = await startHost(folder, host.node === null ? process.execPath : otherNode(host.node));
  try {
    await checkHost(running.url);
    await checkKnown(running.url);
    const { stdout } = await told(
      process.execPath,
      [suite, `${running.url}/api/flows`, `authorization: ${TOKEN.authorization}`],
      {
        timeout: SUITE_WITHIN_MS,
      },
    );
    await running.close();
    const [passed] = stdout.trim().split('\n').slice(-1);
    const seconds = [installed - began, compiled - installed, Date.now() - compiled].map((ms) =>
      (ms / 1000).toFixed(1),
    );
    return `${passed} (installed in ${seconds[0]} s, compiled in ${seconds[1]} s, asked in ${seconds[2]} s)`;
  } finally {
    running.kill();
  }
}

/** One Nest, the host's; nothing that it did not ask for. */
function checkCopies(folder, { adapter }) {
  for (const name of ['@nestjs/core', '@nestjs/common', 'rxjs', 'reflect-metadata', 'class-validator']) {
    const copies = copiesOf(folder, name);
    assert.equal(copies.length, 1, `${name} is there ${copies.length} times: ${copies.join(', ')}`);
  }
  const others = adapter === 'fastify' ? ['@nestjs/platform-express'] : ['@nestjs/platform-fastify'];
  for (const name of [...ABSENT, ...others])
    assert.deepEqual(copiesOf(folder, name), [], `${name} came along, and the host has not asked for it`);
}

/** The guard of the host stands before Flowgate, and what is the host's is as it was. */
async function checkHost(url) {
  const asked = async (method, path, body, headers = TOKEN) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
  for (const [method, path, body] of [
    ['GET', '/flows/health'],
    ['GET', '/flows/workflows'],
    ['POST', '/flows/workflows/from-yaml', {}],
    ['POST', '/flows/workflows/x/runs', {}],
    ['POST', '/flows/mcp', { id: 1, method: 'initialize' }],
  ]) {
    const { status } = await asked(method, path, body, {});
    assert.equal(status, 401, `${method} ${path} without the token answered ${status}`);
  }
  assert.deepEqual(await asked('GET', '/health'), { status: 200, body: { host: true } });
  assert.deepEqual(await asked('POST', '/priced-orders', { amount: 3 }), {
    status: 201,
    body: { price: 21 },
  });
  assert.deepEqual(await asked('POST', '/orders', { amount: '3', other: 1 }), {
    status: 201,
    body: { isNumber: true },
  });
  assert.equal((await asked('POST', '/orders', { amount: 'many' })).status, 400);
  const unknown = await asked('GET', '/nothing');
  assert.deepEqual([unknown.status, unknown.body.statusCode], [404, 404], 'the 404 of the host');
}

/** A controller of the host that Flowgate's guard guards: by keys of the instance, and as whom they are of. */
async function checkKnown(url) {
  const asked = async (method, path, token, body) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}/api${path}`, { method, headers, ...sent });
    return {
      status: response.status,
      challenge: response.headers.get('www-authenticate'),
      body: await response.json(),
    };
  };
  const keyOf = async (owner, role) => {
    const grants = [{ namespace: 'default', roles: [role] }];
    const made = await asked('POST', '/known-flows/keys', BOOTSTRAP, { owner, grants });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.secret;
  };
  const viewer = await keyOf('ann', 'viewer');
  const nobody = await asked('GET', '/known', 'nobody');
  assert.deepEqual([nobody.status, nobody.body.code, nobody.challenge], [401, 'unauthorized', 'Bearer']);
  const mine = await asked('GET', '/known', viewer);
  assert.deepEqual([mine.status, mine.body], [200, { owner: 'ann', runs: 0 }]);
  const forbidden = await asked('POST', '/known', viewer, {});
  assert.deepEqual([forbidden.status, forbidden.body.details], [403, [{ permission: 'run:start' }]]);
  assert.equal((await asked('POST', '/known', await keyOf('bob', 'operator'), {})).status, 201);
}

const asked = process.argv.slice(2);
const hosts = HOSTS.filter(({ name }) => asked.length === 0 || asked.includes(name));
assert.ok(hosts.length > 0, `Known hosts: ${HOSTS.map(({ name }) => name).join(', ')}`);
for (const name of ['flowgate', 'flowgate-client'])
  assert.ok(
    existsSync(join(tarballs, `${name}.tgz`)),
    'Run `npm run build && node tools/checks/pack.mjs` first.',
  );

const root = mkdtempSync(join(tmpdir(), 'flowgate-hosts-'));
const waiting = [...hosts];
const failed = [];
async function work() {
  for (let host = waiting.shift(); host !== undefined; host = waiting.shift()) {
    try {
      process.stdout.write(`✓ ${host.name}: ${await tryHost(host, root)}\n`);
    } catch (error) {
      failed.push(host.name);
      process.stdout.write(`✗ ${host.name}: ${error.message}\n`);
    }
  }
}
try {
  await Promise.all(Array.from({ length: AT_ONCE }, work));
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.stdout.write(`${hosts.length - failed.length} passed, ${failed.length} failed\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
