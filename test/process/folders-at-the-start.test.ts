import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess, type ServiceProcess, type StartOptions } from '../support/service-process.js';
import { document, mock } from '../support/workflow-documents.js';

let folder: string;
let service: ServiceProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flowgate-folders-'));
  chmodSync(folder, 0o755);
});
afterEach(async () => {
  await service?.clear();
  rmSync(folder, { recursive: true, force: true });
});

const within = (name: string) => join(folder, name);
const put = (name: string, text = '') => (writeFileSync(within(name), text), within(name));
const pipe = (name: string) => (execFileSync('mkfifo', [within(name)]), within(name));

/** What a start with these settings says, and how it ends. */
async function refused(environment: Readonly<Record<string, string>>, options: StartOptions = {}) {
  service = startProcess(environment, options);
  const end = await service.ended();
  return { ...end, said: service.said.stderr.trim().split('\n') };
}

/** `main.js` on a disk that hangs at the path: each access blocks a thread of Node until the pipe is written to. */
function silentAt(path: string): string {
  return `
    import fs from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    const { stat } = fs;
    fs.stat = (path) => (path === ${JSON.stringify(path)} ? fs.open(${JSON.stringify(pipe('pipe'))}) : stat(path));
    syncBuiltinESMExports();
    await import('./main.js');`;
}

const READ_ONLY = ['FLOWGATE_SECRETS_DIR', 'FLOWGATE_WORKFLOWS_DIR'] as const;
const NOBODY = 65_534;
const uid = process.getuid?.() === 0 ? NOBODY : undefined;
/** Whether another user can run the service at all, which is not so where the repository is in a closed folder. */
const canRunAsNobody =
  spawnSync(process.execPath, ['--check', 'package.json'], uid === undefined ? {} : { uid }).error ===
  undefined;
const unlessClosed = canRunAsNobody ? it : it.skip;

describe.each(READ_ONLY)('%s', (variable) => {
  const startsWith = (path: string, sentence: string) => ({
    code: 1,
    said: [`${variable} is ${JSON.stringify(path)}: ${sentence}.`],
  });

  it('that is not there ends the start with a sentence', async () => {
    const path = within('gone');
    expect(await refused({ [variable]: path })).toMatchObject(
      startsWith(path, 'there is no such folder: make it, or name another one'),
    );
  });

  it('that is a file ends the start with a sentence', async () => {
    const path = put('file');
    expect(await refused({ [variable]: path })).toMatchObject(
      startsWith(path, 'that is no folder: name one'),
    );
  });

  it('that lies below a file ends the start with a sentence', async () => {
    const path = join(put('file'), 'below');
    expect(await refused({ [variable]: path })).toMatchObject(
      startsWith(path, 'that is no folder: name one'),
    );
  });

  it('that is a cycle of links ends the start with a sentence', async () => {
    symlinkSync(within('b'), within('a'));
    symlinkSync(within('a'), within('b'));
    expect(await refused({ [variable]: within('a') })).toMatchObject(
      startsWith(within('a'), 'its links lead in a circle: put them right'),
    );
  });

  it('is named as it was given', async () => {
    expect(await refused({ [variable]: './not here' })).toMatchObject(
      startsWith('./not here', 'there is no such folder: make it, or name another one'),
    );
  });

  unlessClosed.each([0o000, 0o444, 0o111])(
    'with the rights %o ends the start with a sentence',
    async (mode) => {
      mkdirSync(within('closed'), { mode });
      expect(await refused({ [variable]: within('closed') }, { uid })).toMatchObject(
        startsWith(
          within('closed'),
          'this process may not read it: give its user the right to read and to enter the folder',
        ),
      );
    },
  );

  it('on a file system that does not answer ends the start, and waits for no thread', async () => {
    const script = silentAt(within('silent'));
    const { said, signal, code } = await refused({ [variable]: within('silent') }, { script });
    expect(said).toEqual([
      `${variable} is ${JSON.stringify(within('silent'))}: its file system does not answer: check the disk or the ` +
        'network that it is on, or name another folder.',
    ]);
    expect(code === 0).toBe(false);
    expect(signal).toBe('SIGKILL');
  });
});

it('faults of both folders are named at once', async () => {
  const { said } = await refused(Object.fromEntries(READ_ONLY.map((variable) => [variable, '/not/here'])));
  expect(said.map((line) => line.split(' ')[0])).toEqual([...READ_ONLY]);
});

describe('FLOWGATE_SECRETS_DIR', () => {
  it('with a pipe instead of a secret ends the start with a sentence', async () => {
    mkdirSync(within('acme'));
    pipe('acme/TOKEN');
    expect(await refused({ FLOWGATE_SECRETS_DIR: folder })).toMatchObject({
      code: 1,
      said: [
        `FLOWGATE_SECRETS_DIR is ${JSON.stringify(folder)}: "acme/TOKEN" in it is no file: move it away.`,
      ],
    });
  });

  it('is accepted as orchestrators mount it: links to a folder next to it', async () => {
    mkdirSync(within('..2026_01_01'));
    put('..2026_01_01/TOKEN', 'hunter2');
    symlinkSync('..2026_01_01', within('..data'));
    symlinkSync('..data/TOKEN', within('TOKEN'));
    symlinkSync('..data/GONE', within('GONE'));
    service = startProcess({ FLOWGATE_SECRETS_DIR: folder });
    expect(await service.listening()).toMatch(/^http/);
  });
});

describe('FLOWGATE_WORKFLOWS_DIR', () => {
  it('with a pipe instead of a document ends the start with a sentence', async () => {
    pipe('a.yaml');
    expect(await refused({ FLOWGATE_WORKFLOWS_DIR: folder })).toMatchObject({
      code: 1,
      said: ['FLOWGATE_WORKFLOWS_DIR: a.yaml: a.yaml is no file: move it away'],
    });
  });

  it('with bindings that are no file ends the start, and does not ignore them', async () => {
    put('a.yaml', document('a', [mock('x')]));
    mkdirSync(within('a.bindings.json'));
    expect(await refused({ FLOWGATE_WORKFLOWS_DIR: folder })).toMatchObject({
      code: 1,
      said: ['FLOWGATE_WORKFLOWS_DIR: a.yaml: a.bindings.json is no file: move it away'],
    });
  });
});

describe('FLOWGATE_DATA_DIR', () => {
  const sqlite = (path: string) => ({ FLOWGATE_STORE: 'sqlite', FLOWGATE_DATA_DIR: path });
  const saying = (path: string, sentence: RegExp) => ({
    code: 1,
    said: [
      expect.stringMatching(
        new RegExp(`^FLOWGATE_DATA_DIR is ${JSON.stringify(path)}: ${sentence.source}\\.$`),
      ),
    ],
  });

  it('that is a file ends the start with a sentence', async () => {
    const path = put('file');
    expect(await refused(sqlite(path))).toMatchObject(
      saying(path, /The data folder is a file: name a folder/),
    );
  });

  it.each(['/proc/flowgate', '/dev/null/flowgate'])('%s ends the start with a sentence', async (path) => {
    expect(await refused(sqlite(path))).toMatchObject(
      saying(
        path,
        /The data folder cannot be created: give its parent folder write access, or name another, .*/,
      ),
    );
  });

  unlessClosed('that may not be written to ends the start with a sentence', async () => {
    mkdirSync(within('closed'), { mode: 0o555 });
    expect(await refused(sqlite(within('closed')), { uid })).toMatchObject(
      saying(within('closed'), /.* in the data folder .* write access to the folder and its files/),
    );
  });

  it('on a file system that does not answer ends the start, and waits for no thread', async () => {
    const script = silentAt(within('silent'));
    const { said, signal } = await refused(sqlite(within('silent')), { script });
    expect(said).toEqual([
      expect.stringMatching(
        /^FLOWGATE_DATA_DIR is ".*": The file system of the data folder does not answer: check the disk/,
      ),
    ]);
    expect(signal).toBe('SIGKILL');
  });

  it('is not accessed where nothing is stored in it', async () => {
    service = startProcess({ FLOWGATE_STORE: 'memory', FLOWGATE_DATA_DIR: '/proc/flowgate' });
    expect(await service.listening()).toMatch(/^http/);
  });
});
