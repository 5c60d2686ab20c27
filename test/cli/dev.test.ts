import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
});
