import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { parse } from 'yaml';
import { freePort } from '../support/free-port.js';
import { flowgate } from './support/built-cli.js';
import { folderWith } from './support/folder.js';

const LANGUAGES = [
  {
    options: [],
    file: 'greet.ts',
    test: [process.execPath, '--test'],
    run: [process.execPath, 'units/greet.ts'],
  },
  {
    options: ['--python'],
    file: 'greet.py',
    test: ['python3', 'units/greet_test.py'],
    run: ['python3', 'units/greet.py'],
  },
  {
    options: ['--java'],
    file: 'greet.java',
    test: ['sh', '-c', 'javac -d .flowgate/classes units/*.java && java -cp .flowgate/classes GreetTest'],
    run: ['java', 'units/greet.java'],
  },
];
const INSTALLED = LANGUAGES.filter(({ run: [program = ''] }) => {
  try {
    execFileSync(program, [program === 'java' ? '-version' : '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

const folder = folderWith({});
afterAll(() => folder.remove());

describe('flowgate init', () => {
  it.each(LANGUAGES)(
    'makes a project that is valid, with $file, and an editor that knows its schema',
    async ({ options, file }) => {
      const cwd = join(folder.path, `made-${file}`);
      mkdirSync(cwd);
      const { code, stdout, stderr } = await flowgate(['init', ...options], { cwd });
      expect([code, stdout]).toEqual([0, expect.stringContaining(`made units/${file}`)]);
      expect(stderr).toMatch(/^next: {2}flowgate dev$/m);
      const text = readFileSync(join(cwd, 'workflows/hello.yaml'), 'utf8');
      const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      expect(readFileSync(join(cwd, 'workflows', schema), 'utf8')).toBe(
        readFileSync('schemas/workflow.v1.schema.json', 'utf8'),
      );
      const checked = await flowgate(['validate', 'workflows'], { cwd });
      expect([checked.code, checked.stdout]).toEqual([0, 'workflows/hello.yaml is valid: workflow hello\n']);
      const { services } = parse(readFileSync(join(cwd, 'compose.yaml'), 'utf8')) as {
        readonly services: Readonly<Record<string, { readonly command: string | readonly string[] }>>;
      };
      expect(services['greet']?.command).toContain(`units/${file}`);
    },
  );

  it.each(INSTALLED)(
    'brings $file, whose test passes, and which answers a call',
    async ({ options, test, run }) => {
      const cwd = join(folder.path, `run-${run[0]?.split('/').at(-1)}`);
      await flowgate(['init', cwd, ...options]);
      const [tester = '', ...tests] = test;
      execFileSync(tester, tests, { cwd, stdio: 'ignore', env: { PATH: process.env['PATH'] ?? '' } });
      const port = await freePort();
      const [program = '', ...args] = run;
      const child = spawn(program, args, {
        cwd,
        stdio: 'ignore',
        env: { PATH: process.env['PATH'] ?? '', PORT: String(port) },
      });
      const ended = once(child, 'close');
      try {
        expect(await called(port, { input: { name: 'Ada "the first" Löwe' } })).toEqual({
          content: 'Hello, Ada "the first" Löwe!',
        });
        expect(await called(port, {})).toHaveProperty('error');
      } finally {
        child.kill('SIGKILL');
        await ended;
      }
    },
  );

  it('never writes over a file, whatever it holds, and through no link', async () => {
    const own = folderWith({ 'units/greet.ts': 'mine', 'compose.yaml': 'mine, too' });
    symlinkSync(join(own.path, 'nowhere'), join(own.path, '.gitignore'));
    const { code, stdout } = await flowgate(['init'], { cwd: own.path });
    expect(code).toBe(0);
    for (const file of ['units/greet.ts', 'compose.yaml', '.gitignore'])
      expect(stdout).toContain(`kept ${file}: it is there\n`);
    expect(readFileSync(join(own.path, 'units/greet.ts'), 'utf8')).toBe('mine');
    expect(readdirSync(own.path)).not.toContain('nowhere');
    own.remove();
  });

  it('says what is in the way', async () => {
    const own = folderWith({ shop: 'a file' });
    const { code, stderr } = await flowgate(['init', 'shop'], { cwd: own.path });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^shop\/workflows\/hello\.yaml cannot be written: /),
    ]);
    writeFileSync(join(own.path, 'workflows'), '');
    expect((await flowgate(['init'], { cwd: own.path })).stderr).toContain('cannot be written');
    expect((await flowgate(['init', '--python', '--java'], { cwd: own.path })).stderr).toContain(
      'mutually exclusive',
    );
    own.remove();
  });
});

/** Tries until the program listens. */
async function called(port: number, body: object): Promise<unknown> {
  for (;;) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      return await response.json();
    } catch {
      await after(50);
    }
  }
}
