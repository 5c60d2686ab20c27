// One sitting at a terminal, from the packed packages: a project is made, served, broken, mended, run, approved, looked at and
// cancelled. Outside of the repository, and without the network: only what is installed is there. What the terminal showed is
// left in .tmp/sitting.txt.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Terminal } from '../../test/cli/support/terminal.ts';

const INSTALL_WITHIN_MS = 180_000;
/** No step takes more than seconds; a slow machine has this long before the sitting is given up. */
const GIVE_UP_MS = 600_000;
const RECORD = resolve('.tmp', 'sitting.txt');

const tarballs = ['flowgate', 'flowgate-client'].map((name) => resolve('.tmp', 'package', `${name}.tgz`));
for (const file of tarballs)
  assert.ok(existsSync(file), 'run `npm run build && node tools/checks/pack.mjs` first.');
const { dependencies } = JSON.parse(readFileSync(resolve('tools', 'service', 'package.json'), 'utf8'));
const express = '@nestjs/platform-express';

const root = mkdtempSync(join(tmpdir(), 'flowgate-sitting-'));
const project = join(root, 'shop');
const terminals = [];
const taken = createServer();
const giveUp = setTimeout(() => {
  process.stderr.write(`The sitting takes too long. It showed:\n${transcript()}\n`);
  end();
  process.exit(1);
}, GIVE_UP_MS);

try {
  writeFileSync(join(root, 'package.json'), '{ "private": true }\n');
  const packages = [...tarballs, `${express}@${dependencies[express]}`];
  execFileSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', ...packages],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: INSTALL_WITHIN_MS,
    },
  );
  const port = await new Promise((listening) =>
    taken.listen(0, '127.0.0.1', () => listening(taken.address().port)),
  );
  const before = performance.now();
  const shown = await sitting(port);
  const seconds = Math.round((performance.now() - before) / 1_000);
  process.stdout.write(
    `A sitting of ${seconds} s, in ${shown} commands: init to cancel, without the network.\n`,
  );
} finally {
  clearTimeout(giveUp);
  end();
}

async function sitting(port) {
  const made = await run(root, ['init', 'shop']);
  assert.match(made.text, /made shop\/workflows\/hello\.yaml/);
  assert.match(made.text, /^next: {2}cd shop && flowgate dev$/m);

  // The port that is asked for is taken.
  const dev = at(project, ['dev', '--port', String(port)]);
  await dev.shows('r runs with the last input');
  assert.match(dev.text, /^Port \d+ is taken: this one listens on \d+\.$/m);
  assert.match(dev.text, /^units\/greet\.ts: started$/m);
  assert.match(dev.text, /^workflows\/hello\.yaml: registered hello$/m);
  const [, address] = /^Console: {2}(http:\S+)\/console\/$/m.exec(dev.text);
  const there = { FLOWGATE_SERVER: address };

  // A fault stands at its line, and the last good version goes on.
  edit('workflows/hello.yaml', 'uses: greet', 'use: greet');
  await dev.shows('the last version without faults stays');
  assert.match(dev.text, /^workflows\/hello\.yaml:\d+:\d+: .*did you mean `uses`\?/m);
  assert.match(dev.text, /^ +\d+ \| .*use: greet$/m);
  dev.type('r');
  await dev.shows(/^next: {2}flowgate approve /m);
  assert.match(dev.text, /^hello with \{"name":"Ada"\}$/m);
  assert.match(dev.text, /✓ greet +\d/);
  assert.match(dev.text, /\? approve +waits for a decision \(gate \d+\): Send "Hello, Ada!"\?/);

  // What was mended is registered.
  edit('workflows/hello.yaml', 'use: greet', 'uses: greet');
  await dev.shows(/(?:registered hello[^]*){2}/);

  const approved = await run(project, ['approve', '--responder', 'ann'], there);
  assert.match(approved.text, /^hello [0-9a-f]{8}, approve \(gate \d+, \d+s ago\): Send "Hello, Ada!"\?$/m);
  assert.match(approved.text, /^hello [0-9a-f-]{36}: completed/m);
  assert.match(approved.text, /^output: \{"greeting":"Hello, Ada!"\}$/m);

  // The unit is reloaded, and the last input is used again.
  edit('units/greet.ts', 'Hello', 'Good evening');
  await dev.shows('units/greet.ts: reloaded');
  await run(project, ['start', 'hello', '--input', '{"name": "Grace"}', '--wait'], there, 3);
  dev.type('r');
  await dev.shows('hello with {"name":"Grace"}');
  await dev.shows(/(?:next: {2}flowgate approve [^]*){2}/);
  assert.match(dev.text, /Send "Good evening, Grace!"\?/);

  const workflows = await run(project, ['list'], there);
  assert.match(workflows.text, /^hello +[0-9a-f]/m);
  const runs = await run(project, ['runs'], there);
  const [newest, older, oldest] = [...runs.text.matchAll(/^([0-9a-f]{8}) +hello +(paused|completed)/gm)];
  assert.deepEqual([newest[2], older[2], oldest[2]], ['paused', 'paused', 'completed']);
  const logs = await run(project, ['logs', newest[1]], there);
  assert.match(logs.text, /approve: waits for a decision \(gate \d+\): Send "Good evening, Grace!"\?/);
  for (const [, ending] of [newest, older]) {
    const cancelled = await run(project, ['cancel', ending], there);
    assert.match(cancelled.text, /^hello [0-9a-f-]{36}: cancelled/m);
  }

  dev.type('\u0003');
  assert.equal(await dev.ended, 130);
  assert.equal(dev.cursorColumn, 0);
  await assert.rejects(fetch(`${address}/health`), 'the server ends with `flowgate dev`');
  // A second time nothing is written over.
  const again = await run(root, ['init', 'shop']);
  assert.match(again.text, /^kept shop\/units\/greet\.ts: it is there$/m);
  assert.match(readFileSync(join(project, 'units/greet.ts'), 'utf8'), /Good evening/);
  return terminals.length;
}

function at(cwd, args, env = {}) {
  const command = join(root, 'node_modules', '.bin', 'flowgate');
  const terminal = new Terminal([process.execPath, command, ...args], {
    columns: 120,
    cwd,
    env: {
      NO_COLOR: '1',
      NODE_OPTIONS: `--require=${resolve('tools', 'checks', 'sitting', 'loopback-only.cjs')}`,
      ...env,
    },
  });
  terminals.push({ args, terminal });
  return terminal;
}

async function run(cwd, args, env = {}, expected = 0) {
  const terminal = at(cwd, args, env);
  assert.equal(await terminal.ended, expected, terminal.text);
  return terminal;
}

function edit(file, from, to) {
  const path = join(project, file);
  const text = readFileSync(path, 'utf8');
  assert.ok(text.includes(from), `${file} has no ${from}`);
  writeFileSync(path, text.replace(from, to));
}

function transcript() {
  return terminals.map(({ args, terminal }) => `$ flowgate ${args.join(' ')}\n${terminal.text}\n`).join('\n');
}

function end() {
  writeFileSync(RECORD, transcript());
  taken.close();
  for (const { terminal } of terminals) terminal.kill();
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
