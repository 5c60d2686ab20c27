import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { testedPackage } from '../support/tested-package.js';
import { promisify } from 'node:util';
import { startService, type Service } from '../support/service.js';

const run = promisify(execFile);
const folder = new URL('../../examples/', import.meta.url);
const examples = readdirSync(folder)
  .filter((name) => /^\d\d-/.test(name) && existsSync(new URL(`${name}/run.mjs`, folder)))
  .sort();

/** Some examples are compiled before they are played. */
const WITHIN_MS = 90_000;

/** The package that the examples that are Nest applications have installed. */
let flowgate: string;
beforeAll(() => {
  flowgate = testedPackage();
}, WITHIN_MS);

/** Plays the demo on the service; rejects, as `execFile` does, when it ends with another code than 0. */
async function playAll({ url }: Service, ...flags: readonly string[]): Promise<string> {
  const ours = { FLOWGATE_URL: url, FLOWGATE_PACKAGE: flowgate, NODE_OPTIONS: '', npm_config_loglevel: '' };
  const env = { ...process.env, ...ours };
  const { stdout } = await run(process.execPath, [new URL('demo.ts', folder).pathname, ...flags], { env });
  return stdout;
}

describe('each example', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
  });

  afterAll(() => service.close());

  it(
    'checks its own result, and has a line in the demo: its name, what it showed, how its run ended and how long that took',
    async () => {
      const lines = (await playAll(service)).trim().split('\n');
      expect(
        lines.slice(0, -2).map((line) => /^✓ (\S+) +\w.+: completed in \d+ ms$/.exec(line)?.[1]),
      ).toEqual(examples);
      expect(lines.at(-1)).toBe(
        `${examples.length} examples played. What they print: npm run demo -- --verbose`,
      );
    },
    WITHIN_MS,
  );

  it(
    'prints its record where the demo is asked to be verbose',
    async () => {
      const said = await playAll(service, '--verbose');
      expect(said.match(/^ {2}"status": "completed",$/gm)).toHaveLength(examples.length);
    },
    WITHIN_MS,
  );
});

describe('an example that fails', () => {
  it(
    'is named by the demo with what it said, and the demo fails when all others have been played',
    async () => {
      // Nothing at that address may be called, so only examples without units over HTTP on that service can be played.
      const service = await startService({ FLOWGATE_DENIED_ADDRESSES: '127.0.0.1' });
      const failure = await playAll(service).catch((error: unknown) => error);
      await service.close();
      const { code, stdout } = failure as { readonly code: number; readonly stdout: string };
      expect(code).toBe(1);
      expect(stdout).toMatch(/^✗ 01-hello +ended with 1$/m);
      expect(stdout).toContain('is denied by FLOWGATE_DENIED_ADDRESSES');
      expect(stdout).toMatch(/^✓ 02-approval /m);
      expect(stdout).toMatch(
        /\n5 of 12 examples played; these failed: 01-hello, 03-parallel, .*08-delegation\n$/,
      );
    },
    WITHIN_MS,
  );
});
