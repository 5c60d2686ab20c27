import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { COMMAND_GROUPS, namesOf } from '../../src/cli/commands/command-groups.js';
import { EXIT } from '../../src/cli/exit-code.js';
import { pageOf } from '../../src/cli/help/command-pages.js';
import { PATIENCE_MS } from '../../src/cli/remote/output/followed.js';
import { freePort } from '../support/free-port.js';
import { commandOf, flowgate } from './support/built-cli.js';
import { commandRows, plain, rowsUnder, snippets, textHeadings, textUnder } from './support/cli-page.js';
import { folderWith } from './support/folder.js';
import { startService, type Service } from './support/service.js';

/** Options that every command has. */
const EVERYWHERE = ['--help', '--version'];
const ASKING = 'Asking a server';
const OUTPUT = 'Output';

/** The headings under which the page lists the options of each command. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  init: ['init'],
  dev: ['dev'],
  serve: ['serve'],
  validate: ['validate'],
  run: ['run'],
  apply: [ASKING, 'apply'],
  workflows: [ASKING, OUTPUT],
  start: [ASKING, OUTPUT, 'start'],
  get: [ASKING, OUTPUT],
  describe: [ASKING, OUTPUT],
  resume: [ASKING, OUTPUT, 'resume'],
  cancel: [ASKING, OUTPUT, 'cancel and pause'],
  pause: [ASKING, OUTPUT, 'cancel and pause'],
  compensate: [ASKING, OUTPUT, 'compensate'],
  approve: [ASKING, OUTPUT, 'approve and reject'],
  reject: [ASKING, OUTPUT, 'approve and reject'],
  watch: [ASKING, OUTPUT, 'watch'],
  runs: [ASKING, OUTPUT, 'runs'],
  gates: [ASKING, OUTPUT, 'gates'],
  logs: [ASKING, 'logs'],
  events: [ASKING, OUTPUT, 'events'],
  fork: [ASKING, OUTPUT, 'fork'],
  export: [ASKING, 'export and import'],
  import: [ASKING, OUTPUT],
  versions: [ASKING, OUTPUT, 'versions and diff'],
  diff: [ASKING],
  unregister: [ASKING],
  whoami: [ASKING, OUTPUT],
  keys: [ASKING, OUTPUT, 'keys'],
  audit: [ASKING, OUTPUT, 'audit'],
  replay: ['replay'],
  doctor: [ASKING, OUTPUT],
  completion: [],
};

/** What help says of a command: its options with their descriptions, wrapped lines joined. */
async function helpOf(command: string): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await flowgate([command, '--help']);
  const groups = [...`${stdout}\n\n`.matchAll(/\n(?:Server|Options):\n([^]*?)(?=\n\n)/g)];
  const options = groups.map(([, lines = '']) => lines).join('\n');
  const entries = options.split(/\n(?= +(?:-\w, )?--)/).map((text): [string, string] => {
    const line = text.replaceAll(/\s+/g, ' ').trim();
    const [, name = '', words = ''] =
      /^(?:-\w, )?(--[\w-]+)(?:, --snapshot)? (.*?)(?: \[|$)/.exec(line) ?? [];
    return [name, words];
  });
  return new Map(entries);
}

describe('the page of the command line', () => {
  it('has every command, with the words of its help', async () => {
    const { stdout } = await flowgate(['--help']);
    const lines = stdout.replaceAll(/\n {10,}/g, ' ');
    const headings = [...stdout.matchAll(/^\S.*(?=:$)/gm)].map(([heading]) => heading);
    expect(headings).toEqual([...COMMAND_GROUPS.map(({ heading }) => heading), 'Options']);
    const commands = [...lines.matchAll(/^ {2}flowgate (.+?) {2,}(.+)$/gm)].map(([, usage, words]) => [
      usage,
      words?.replace(/ *\[aliases: (.+)\]$/, ' (also $1)'),
    ]);
    expect(commandRows?.toSorted()).toEqual(commands.toSorted());
    expect(Object.keys(SECTIONS).toSorted()).toEqual(
      commands.map(([usage = '']) => usage.split(' ')[0]).toSorted(),
    );
  });

  it.each(Object.keys(SECTIONS))(
    'has every option of %s, and no other, in the words of its help',
    async (command) => {
      const help = await helpOf(command);
      const rows = (SECTIONS[command] ?? []).flatMap((heading) => rowsUnder(heading));
      const names = rows.map(([name = '']) => plain(name));
      expect([...names, ...EVERYWHERE].toSorted()).toEqual([...help.keys()].toSorted());
      for (const [name = '', ...cells] of rows) {
        // The words for --json differ from command to command, and the page says how.
        if (plain(name) === '--json' && SECTIONS[command]?.includes(ASKING)) continue;
        const words = plain(cells.at(-1) ?? '').replace(
          / \((?:cli|also -f|also --snapshot, the old name|FLOWGATE_(?:SERVER|TOKEN|NAMESPACE).*)\)$/,
          '',
        );
        expect(`${plain(name)}: ${words}`).toBe(`${plain(name)}: ${help.get(plain(name))}`);
      }
    },
  );

  it('has the heading that the help of each command names', () => {
    const headings = textHeadings().map((heading) => heading.toLowerCase().replaceAll(' ', '-'));
    for (const { commands } of COMMAND_GROUPS)
      for (const command of commands) {
        const [name = ''] = namesOf(command);
        expect(headings).toContain(pageOf(name).replace('docs/cli.md#', ''));
      }
  });

  it('says of each option of serve which setting it stands for', async () => {
    const { stdout } = await flowgate(['serve', '--help']);
    const help = stdout.replaceAll(/\s+/g, ' ');
    for (const [name = '', setting = ''] of rowsUnder('serve'))
      expect(help).toMatch(new RegExp(`${plain(name)} [^\\[]*\\[${plain(setting)}\\]`));
  });

  it('says how long watch waits for a server', () => {
    const words = textUnder('watch').replaceAll(/\s+/g, ' ');
    expect(words).toContain('for up to ten minutes');
    expect(PATIENCE_MS).toBe(10 * 60_000);
  });

  it('has every exit code', () => {
    const codes = rowsUnder('Exit codes').map(([code = '', name = '']) => [plain(name), Number(plain(code))]);
    expect(Object.fromEntries(codes)).toEqual(EXIT);
  });
});

describe('the snippets of the page', () => {
  const folder = folderWith({});
  let service: Service;
  let server: string;
  let unitPort: number;
  let keysPort: number;

  beforeAll(async () => {
    // A program and no function of the shell: what is started in its background is ended by `kill $!`.
    const wrapper = join(folder.path, 'bin', 'flowgate');
    mkdirSync(dirname(wrapper));
    writeFileSync(
      wrapper,
      `#!/bin/sh\nexec ${commandOf([])
        .map((part) => `'${part}'`)
        .join(' ')} "$@"\n`,
    );
    chmodSync(wrapper, 0o755);
    service = await startService();
    server = service.address;
    unitPort = await freePort();
    keysPort = await freePort();
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  it('print what it says, one after the other in one shell', async () => {
    const inShell = snippets.filter(({ script }) => !script.startsWith('flowgate serve'));
    expect(snippets.length - inShell.length).toBe(1);
    const marker = (line: number): string => `---- ${line}`;
    const script = inShell.flatMap(({ line, script: text }) => [`echo '${marker(line)}'`, text]).join('\n');
    const said = await shell(
      script
        .replaceAll(':9000', `:${unitPort}`)
        .replaceAll('(9000)', `(${unitPort})`)
        .replaceAll('8788', String(keysPort)),
    );
    const outputs = new Map(
      said.split(/^---- /m).map((part) => [Number.parseInt(part), part.slice(part.indexOf('\n') + 1)]),
    );
    for (const { line, prints } of inShell)
      expect([line, outputs.get(line)]).toEqual([line, expect.stringMatching(pattern(prints ?? ''))]);
    // Some seventy commands, each a process of its own.
  }, 400_000);

  it('start the server that the others call', async () => {
    const serving = snippets.find(({ script }) => script.startsWith('flowgate serve'))?.script ?? '';
    const options = serving.trim().split(' ').slice(2);
    expect(options.slice(0, 2)).toEqual(['--port', '8787']);
    expect((await flowgate(['serve', ...options.slice(2), '--port', 'x'])).stderr).toMatch(/^--port is "x"/);
  });

  /** What a shell prints, stdout and stderr in the order of the lines. */
  async function shell(script: string): Promise<string> {
    const child = spawn('bash', ['-c', `exec 2>&1\n${script}`], {
      cwd: folder.path,
      env: {
        PATH: `${folder.path}/bin:${process.env['PATH'] ?? ''}`,
        SHELL: '/bin/bash',
        FLOWGATE_SERVER: server,
      },
    });
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    await once(child, 'close');
    return said;
  }
});

/** `…` stands for any text, `N` for a number; everything else is literal. */
function pattern(prints: string): RegExp {
  const escaped = prints.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('…', '[^]*').replaceAll(/\bN\b/g, String.raw`\d+`)}$`);
}
