import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { FlowgateClient } from 'flowgate-client';
import { inSequence } from '../support/engine.js';
import { freePort } from '../support/free-port.js';
import { commandOf, ended, flowgate, start } from './support/built-cli.js';
import { folderWith } from './support/folder.js';
import { Terminal } from './support/terminal.js';

const UNIT = (answer: string): string => `
import { createServer } from 'node:http';
import { word } from './_word.mjs';
createServer((request, response) => response.end(JSON.stringify({ content: word + ' ${answer}' }))).listen(process.env.PORT, '127.0.0.1');
`;
const files = {
  'compose.yaml': 'services: {}\n',
  'a.yaml': inSequence('a', [{ id: 'greet', uses: 'greet' }]),
  'units/greet.mjs': UNIT('one'),
  'units/_word.mjs': "export const word = 'Hello';\n",
  'units/greet.test.mjs': 'throw new Error("a test is no unit");\n',
};
const folders: { remove(): void }[] = [];
const terminals: Terminal[] = [];
afterEach(async () => {
  for (const terminal of terminals.splice(0)) {
    terminal.type('\u0003');
    await terminal.ended;
  }
  for (const folder of folders.splice(0)) folder.remove();
});

function projectWith(more: Readonly<Record<string, unknown>> = {}): string {
  const folder = folderWith({ ...files, ...more });
  folders.push(folder);
  return folder.path;
}

/** Not on the usual port, which others on the machine may take. */
async function develop(cwd: string, wanted?: number): Promise<Terminal> {
  const args = ['--port', String(wanted ?? (await freePort()))];
  const terminal = new Terminal(commandOf(['dev', ...args]), { columns: 120, cwd, env: { NO_COLOR: '1' } });
  terminals.push(terminal);
  await terminal.shows('r runs with the last input');
  return terminal;
}

function clientOf({ text }: Terminal): FlowgateClient {
  const [, baseUrl = ''] = /^Console: {2}(\S+)\/console\/$/m.exec(text) ?? [];
  return new FlowgateClient({ baseUrl });
}

describe('flowgate dev', () => {
  it('registers the workflows of the folder with the units beside them, and reloads units and what they import', async () => {
    const cwd = projectWith();
    const dev = await develop(cwd);
    expect(dev.text).toContain('units/greet.mjs: started');
    expect(dev.text).not.toContain('compose.yaml');
    const client = clientOf(dev);
    const output = async (): Promise<unknown> =>
      (await client.startWorkflow('a', {}, { sync: true })).result?.state['output.greet'];
    expect(await output()).toBe('Hello one');
    writeFileSync(join(cwd, 'units/greet.mjs'), UNIT('two'));
    await dev.shows('units/greet.mjs: reloaded');
    expect(await output()).toBe('Hello two');
    writeFileSync(join(cwd, 'units/_word.mjs'), "export const word = 'Bye';\n");
    await dev.shows(/(?:reloaded[^]*){2}/);
    expect(await output()).toBe('Bye two');
    // One that cannot start is said to, and the next save mends it.
    writeFileSync(join(cwd, 'units/greet.mjs'), 'syntax error\n');
    await dev.shows('units/greet.mjs: ended with 1; it is started again when it is saved');
    writeFileSync(join(cwd, 'units/greet.mjs'), UNIT('three'));
    await dev.shows(/(?:reloaded[^]*){3}/);
    expect(await output()).toBe('Bye three');
  });

  it('takes the next port where one is taken, and runs what was saved last with the last input', async () => {
    const cwd = projectWith({
      'b.yaml': inSequence('b', [{ id: 'say', uses: 'builtin.mock', config: { response: 'B' } }]),
    });
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const dev = await develop(cwd, port);
    taken.close();
    expect(dev.lines[0]).toMatch(new RegExp(`^Port ${port} is taken: this one listens on \\d+\\.$`));
    dev.type('r');
    await dev.shows('b with {}');
    await dev.shows('output: B');
    writeFileSync(join(cwd, 'a.yaml'), readFileSync(join(cwd, 'a.yaml'), 'utf8').replace('"a"', '"c"'));
    await dev.shows('a.yaml: registered c');
    await clientOf(dev).startWorkflow('c', { n: 7 }, { sync: true });
    dev.type('r');
    await dev.shows('c with {"n":7}');
    await dev.shows('output: Hello one');
  });

  it('says that there is nothing to serve', async () => {
    const folder = folderWith({ 'compose.yaml': 'services: {}\n' });
    folders.push(folder);
    const { code, stderr } = await flowgate(['dev'], { cwd: folder.path });
    expect([code, stderr]).toEqual([2, expect.stringContaining('make a project with flowgate init')]);
    const port = await flowgate(['dev', '--port', '70000'], { cwd: projectWith() });
    expect([port.code, port.stderr]).toEqual([2, expect.stringContaining('--port must be a whole number')]);
  });

  it('needs no terminal, has no keys then, and ends by a signal with all that it started', async () => {
    const port = String(await freePort());
    const child = start(['dev', 'a.yaml', '--port', port], { cwd: projectWith() });
    const end = ended(child);
    let said = '';
    for await (const text of child.stderr ?? []) {
      said += String(text);
      if (said.includes('Ctrl-C ends it.')) break;
    }
    expect(said).toContain('a.yaml: registered a');
    expect(said).not.toContain('r runs');
    child.kill('SIGTERM');
    expect((await end).code).toBe(143);
    const [, address = ''] = /^Console: {2}(\S+)\/console\/$/m.exec(said) ?? [];
    await expect(fetch(`${address}/health`)).rejects.toThrow('fetch failed');
  });

  it('ends with all that it started by a signal that comes before it serves, or while a unit is waited for', async () => {
    const silent =
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('begun', '');\nsetInterval(() => {}, 1000);\n";
    for (const [sign, unit] of [
      ['.flowgate', 'greet.mjs'],
      ['begun', 'silent.mjs'],
    ] as const) {
      const cwd = projectWith({ [`units/${unit}`]: silent });
      const port = await freePort();
      const child = start(['dev', '--port', String(port)], { cwd });
      const end = ended(child);
      while (!existsSync(join(cwd, sign))) await after(20);
      child.kill('SIGTERM');
      const { code, stderr } = await end;
      expect([code, stderr]).toEqual([143, expect.not.stringContaining('fault of Flowgate')]);
      await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow('fetch failed');
    }
  });

  it('says which unit it waits for before anything is registered, and for how long, and starts it again when it is saved meanwhile', async () => {
    const cwd = projectWith({ 'units/silent.mjs': 'setInterval(() => {}, 1000);\n' });
    const args = ['dev', '--port', String(await freePort())];
    const dev = new Terminal(commandOf(args), { columns: 160, cwd, env: { NO_COLOR: '1' } });
    terminals.push(dev);
    await dev.shows(
      /^units\/silent\.mjs: does not listen on PORT, which is \d+: workflows are registered once it does, or after 30 s$/m,
    );
    await dev.shows('units/greet.mjs: started');
    writeFileSync(
      join(cwd, 'units/silent.mjs'),
      "import { createServer } from 'node:http';\ncreateServer().listen(process.env.PORT);\n",
    );
    await dev.shows('units/silent.mjs: reloaded');
    expect(dev.text).not.toContain('it is started again when it is saved');
  });

  it('calls a unit while its file is there, and where its binding says before and after', async () => {
    const elsewhere = createHttpServer((_request, response) => response.end('{ "content": "elsewhere" }'));
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}/`;
    const cwd = projectWith({ 'a.bindings.json': { greet: { type: 'http', endpoint } } });
    const [here, away] = [join(cwd, 'units/greet.mjs'), join(cwd, 'units/other.mjs')];
    try {
      const dev = await develop(cwd);
      const client = clientOf(dev);
      const output = async (): Promise<unknown> =>
        (await client.startWorkflow('a', {}, { sync: true })).result?.state['output.greet'];
      expect(await output()).toBe('Hello one');
      renameSync(here, away);
      await dev.shows(/units\/greet\.mjs: stopped, as its file is gone[^]*a\.yaml: registered a/);
      expect(await output()).toBe('elsewhere');
      renameSync(away, here);
      await dev.shows(/(?:units\/greet\.mjs: started[^]*a\.yaml: registered a[^]*){2}/);
      expect(await output()).toBe('Hello one');
    } finally {
      elsewhere.close();
    }
  });

  it('registers a workflow once there is the unit that it lacks, and runs it then', async () => {
    const cwd = projectWith({ 'a.yaml': inSequence('a', [{ id: 'late', uses: 'late' }]) });
    const dev = await develop(cwd);
    expect(dev.text).toContain('a.yaml: the last version without faults stays');
    writeFileSync(join(cwd, 'units/late.mjs'), UNIT('late'));
    await dev.shows('a.yaml: registered a');
    dev.type('r');
    await dev.shows('output: Hello late');
  });

  it('starts one of two units with one name, says so, and starts the other one once the first is gone', async () => {
    const cwd = projectWith({ 'units/greet.ts': UNIT('of the other') });
    const dev = await develop(cwd);
    expect(dev.text).toContain('units/greet.ts: not started, because units/greet.mjs has its name');
    const client = clientOf(dev);
    const output = async (): Promise<unknown> =>
      (await client.startWorkflow('a', {}, { sync: true })).result?.state['output.greet'];
    expect(await output()).toBe('Hello one');
    rmSync(join(cwd, 'units/greet.mjs'));
    await dev.shows('units/greet.ts: reloaded');
    expect(await output()).toBe('Hello of the other');
    dev.type('\u0003');
    expect(await dev.ended).toBe(130);
  });

  it('reloads and ends a unit whose own child keeps its output open', async () => {
    const leaving = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)'], { stdio: 'inherit', detached: true });
writeFileSync('child.pid', String(child.pid));
${UNIT('leaving')}`;
    const cwd = projectWith({ 'units/greet.mjs': leaving });
    const dev = await develop(cwd);
    const left = Number(readFileSync(join(cwd, 'child.pid'), 'utf8'));
    try {
      writeFileSync(join(cwd, 'units/greet.mjs'), UNIT('reloaded'));
      await dev.shows('units/greet.mjs: reloaded');
      dev.type('\u0003');
      expect(await dev.ended).toBe(130);
    } finally {
      process.kill(left, 'SIGKILL');
    }
  });

  it('says that its server has ended, and ends, also while a run is followed there', async () => {
    const unit = `import { writeFileSync } from 'node:fs';
writeFileSync('pids', process.ppid + ' ' + process.pid);
import('node:http').then(({ createServer }) => createServer(() => undefined).listen(process.env.PORT, '127.0.0.1'));
`;
    const cwd = projectWith({ 'units/greet.mjs': unit });
    const dev = await develop(cwd);
    dev.type('r');
    await dev.shows('a with {}');
    await dev.shows('● greet');
    const [parent = '', own] = readFileSync(join(cwd, 'pids'), 'utf8').split(' ');
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ');
    const servers = children.filter((pid) => pid !== own);
    expect(servers).toHaveLength(1);
    process.kill(Number(servers[0]), 'SIGKILL');
    await dev.shows('The server was ended by SIGKILL.');
    expect(await dev.ended).toBe(1);
  });
});
