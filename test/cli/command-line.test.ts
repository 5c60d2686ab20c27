import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { commandOf, ended, flowgate, start, startModule } from './support/built-cli.js';
import { folderWith } from './support/folder.js';

const folder = folderWith({
  'large.yaml': Buffer.alloc(8 * 1024 * 1024 + 1, 0x20),
  'latin.yaml': Buffer.from([0x61, 0xe4]),
});
afterAll(() => folder.remove());

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const COMMANDS =
  'serve validate run apply workflows start get describe resume approve reject watch logs runs unregister whoami keys'.split(
    ' ',
  );

describe('the command line', () => {
  it('says its version, and explains itself on stdout', async () => {
    expect(await flowgate(['--version'])).toEqual({
      code: 0,
      signal: null,
      stdout: `${version}\n`,
      stderr: '',
    });
    const help = await flowgate(['--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    for (const command of ['serve', 'validate', 'run', 'apply', 'watch', 'completion'])
      expect(help.stdout).toContain(`flowgate ${command}`);
  });

  it.each(COMMANDS)('shows examples in the help of %s', async (command) => {
    const { code, stdout } = await flowgate([command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples:\\n +(cat .*\\| )?flowgate ${command}`));
  });

  it.each([
    [[], 'Say what to do', 'flowgate --help'],
    [['vlidate', 'x.yaml'], 'Did you mean validate?', 'flowgate --help'],
    [['status', 'x'], 'Unknown command: status. Did you mean describe?', 'flowgate --help'],
    [['stauts', 'x'], 'Did you mean describe?', 'flowgate --help'],
    [['ps'], 'Did you mean runs?', 'flowgate --help'],
    [['frobnicate'], 'flowgate --help lists the commands', 'flowgate --help'],
    [['run'], '<file> is missing: write flowgate run <file>', 'flowgate run --help'],
    [['get'], '<runId> is missing: write flowgate get [workflowId] <runId>', 'flowgate get --help'],
    [['start'], '<workflowId> is missing: write flowgate start', 'flowgate start --help'],
    [['approve'], '<runId> is missing: write flowgate approve <runId>', 'flowgate approve --help'],
    [['reject', '--gate', '4'], '<runId> is missing', 'flowgate reject --help'],
    [
      ['run', 'x.yaml', '--inputs', '{}'],
      'Unknown argument: inputs. Did you mean --input?',
      'flowgate run --help',
    ],
    [['runs', '--since', '1h'], 'Did you mean --created-after?', 'flowgate runs --help'],
    [['runs', '--json', '--output', 'yaml'], 'mutually exclusive', 'flowgate runs --help'],
    [['runs', '--output', 'xml'], 'Choices: "json", "yaml", "table", "wide"', 'flowgate runs --help'],
    [['run', 'x.yaml', '--input', '1', '--input', '2'], '--input is given more than once', 'run --help'],
    [['run', 'x.yaml', '--approve', '--reject'], 'mutually exclusive', 'run --help'],
    [['run', 'x.yaml', '--input'], 'Not enough arguments following: input', 'run --help'],
    [['validate', 'x.yaml', '--bind'], 'Not enough arguments following: bind', 'validate --help'],
    [['--', 'run', 'gone.yaml'], 'gone.yaml cannot be read', '--help'],
    [['run', '-', '--input', '-'], 'cannot both come from stdin', 'run --help'],
    [['run', 'gone.yaml'], 'gone.yaml cannot be read: there is no such file.', 'run --help'],
    [['run', folder.path], 'it is a folder', 'run --help'],
    [['run', `${folder.path}/large.yaml`], 'larger than 8388608 bytes', 'run --help'],
    [['run', `${folder.path}/latin.yaml`], 'is not in UTF-8', 'run --help'],
    [['validate', 'examples/lib'], 'holds no *.yaml or *.yml', 'validate --help'],
    [['validate', 'gone'], 'gone cannot be read', 'validate --help'],
    [['validate', 'x.yaml', '--json', '--sarif'], 'mutually exclusive', 'validate --help'],
    [
      ['serve', '--port', '80a'],
      '--port is "80a": it must be a whole number from 0 to 65535.',
      'serve --help',
    ],
  ])('refuses %j in a sentence, with 2', async (args, sentence, advice) => {
    const { code, stdout, stderr } = await flowgate(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).toContain(advice);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('completes commands and options', async () => {
    const { stdout } = await flowgate(['completion'], { env: { SHELL: '/bin/bash' } });
    expect(stdout).toContain('complete -o bashdefault -o default -F _flowgate_yargs_completions flowgate');
    expect((await flowgate(['completion'], { env: { SHELL: '/bin/zsh' } })).stdout).toContain('#compdef');
    const commands = await flowgate(['--get-yargs-completions', 'flowgate', 'v']);
    expect(commands.stdout).toContain('validate');
    const options = await flowgate(['--get-yargs-completions', 'flowgate', 'run', '--a']);
    expect(options.stdout.split('\n')).toContain('--approve');
    const formats = await flowgate(['--get-yargs-completions', 'flowgate', 'runs', '--output', '']);
    expect(formats.stdout.trimEnd().split('\n')).toEqual(['json', 'yaml', 'table', 'wide']);
  });

  it('says in one line that Node is too old, before anything else is loaded', async () => {
    const env = { NODE_OPTIONS: '--import=./test/cli/support/old-node.mjs' };
    expect(await flowgate(['--version'], { env })).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'Flowgate needs Node 22.13 or newer, and this is Node 22.12.0: install a newer one.\n',
    });
  });

  it('ends at once when Ctrl-C is pressed twice, whatever does not end', async () => {
    const child = startModule('./test/cli/support/never-ends.mjs');
    const end = ended(child);
    await once(child.stdout ?? child, 'data');
    child.kill('SIGINT');
    await once(child.stdout ?? child, 'data');
    child.kill('SIGINT');
    expect(await end).toMatchObject({ code: 130, stdout: 'waits\ninterrupted\n' });
  });

  it('ends quietly when its reader has seen enough', async () => {
    const child = start(['validate', '--json', ...Array.from({ length: 200 }, () => 'examples/01-hello')]);
    child.stdout?.destroy();
    const { code, stderr } = await ended(child);
    expect([code, stderr]).toEqual([0, '']);
  });

  (existsSync('/dev/full') ? it : it.skip)('says that a result cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const [bin, ...args] = commandOf(['validate', '--json', 'examples/01-hello']);
    const child = spawn(bin, args, { stdio: ['ignore', full, 'pipe'] });
    const { code, stderr } = await ended(child);
    closeSync(full);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The result cannot be written: ENOSPC/)]);
  });

  it('without Nest, but for serve', async () => {
    const env = { NODE_OPTIONS: '--import=./test/cli/support/no-nest.mjs' };
    expect(await flowgate(['validate', 'examples/01-hello'], { env })).toMatchObject({ code: 0, stderr: '' });
    const serving = await flowgate(['serve', '--port', '0', '--store', 'memory'], { env });
    expect([serving.code, serving.stderr]).toEqual([
      1,
      expect.stringContaining('The service needs @nestjs/common'),
    ]);
  });
});

describe('flowgate serve', () => {
  it('is the service, with its options above the environment, and ends by a signal', async () => {
    const child = start(['serve', '--port', '0', '--store', 'memory'], {
      cwd: folder.path,
      env: { PORT: '1', FLOWGATE_STORE: 'sqlite' },
    });
    const end = ended(child);
    let said = '';
    child.stdout?.on('data', (text: string) => (said += text));
    let address: string | undefined;
    while (address === undefined) {
      await once(child.stdout ?? child, 'data');
      address = /listens on (http:\/\/[^\s"]+)/.exec(said)?.[1];
    }
    expect(await (await fetch(`${address}/health`)).json()).toMatchObject({ ok: true });
    child.kill('SIGTERM');
    expect((await end).code).toBe(0);
  });
});
