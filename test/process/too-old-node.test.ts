import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tooOldFor } from '../../src/node-version.js';
import { testedPackage } from '../support/tested-package.js';

/** The machine's own Node: where it is too old, the tests use it too. */
const MACHINES_NODE = '/usr/bin/node';
const WITHIN_MS = 60_000;

let folder = '';
beforeAll(() => {
  folder = testedPackage();
}, WITHIN_MS);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function ended(node: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, NODE_OPTIONS: '', PORT: '0' }, timeout: 20_000 };
    execFile(node, args, options, (error, stdout, stderr) => {
      resolve({
        code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
        stdout,
        stderr,
      });
    });
  });
}

/** The arguments of a host that imports the file and prints the result. */
const importing = (file: string): readonly string[] => [
  '--input-type=module',
  '-e',
  `await import(${JSON.stringify(pathToFileURL(join(folder, 'dist', file)).href)}).then(() => console.log('loaded'), (error) => console.log(error.message));`,
];

/** Makes Node look like Node 20: another version, and no `node:sqlite`. */
const AS_NODE_20 = [
  '--no-experimental-sqlite',
  '--import',
  `data:text/javascript,${encodeURIComponent(
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })",
  )}`,
];

const ENTRIES = ['index.js', 'engine/index.js', 'testing/index.js'];
const sentence = (version: string): string =>
  `Flowgate needs Node 22.13 or newer, and this is Node ${version}: install a newer one.`;

describe('on a Node that is too old', () => {
  it.each(ENTRIES)('a host that imports %s is told which Node it needs, in one sentence', async (entry) => {
    const { stdout } = await ended(process.execPath, [...AS_NODE_20, ...importing(entry)]);
    expect(stdout.trim()).toBe(sentence('20.20.2'));
  });

  it.each(['main.js', 'cli/flowgate.js'])('%s says so and ends', async (file) => {
    const { code, stderr } = await ended(process.execPath, [...AS_NODE_20, join(folder, 'dist', file)]);
    expect({ code, said: stderr.trim() }).toEqual({ code: 1, said: sentence('20.20.2') });
  });

  it(
    'the machine’s own says the same, where it is one',
    async () => {
      if (!existsSync(MACHINES_NODE)) return;
      const version = execFileSync(MACHINES_NODE, ['-p', 'process.versions.node'], {
        encoding: 'utf8',
      }).trim();
      if (tooOldFor(version) === null) return;
      for (const entry of ENTRIES) {
        const { stdout } = await ended(MACHINES_NODE, importing(entry));
        expect(stdout.trim()).toBe(sentence(version));
      }
    },
    WITHIN_MS,
  );
});

describe('on a Node that was started without node:sqlite', () => {
  it.each(ENTRIES)('%s is loaded, for a host that stores nothing', async (entry) => {
    const { stdout } = await ended(process.execPath, ['--no-experimental-sqlite', ...importing(entry)]);
    expect(stdout.trim()).toBe('loaded');
  });

  it('the service says which flag prevents it', async () => {
    const { code, stderr } = await ended(process.execPath, [
      '--no-experimental-sqlite',
      join(folder, 'dist/main.js'),
    ]);
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(
      /^This Node \(v[\d.]+\) has no node:sqlite, in which Flowgate keeps its data: start it without --no-experimental-sqlite, also in NODE_OPTIONS\.$/,
    );
  });
});
