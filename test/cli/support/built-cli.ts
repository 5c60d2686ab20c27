import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { transformFileSync } from '@swc/core';

/** Next to `dist`, never in it; each Jest worker has its own, since they build at the same time. */
const FOLDER = resolve(`.tmp/cli-${process.env['JEST_WORKER_ID'] ?? '0'}`);
const BIN = join(FOLDER, 'dist/cli/flowgate.js');

/** The output of one command, and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Launch {
  readonly stdin?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Compiles the package as far as it changed since the last time: a second at first. Types are checked elsewhere. */
export function buildCli(): void {
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const [from, to] = [join('src', file), join(FOLDER, 'dist', file.replace(/\.ts$/, '.js'))];
    if (existsSync(to) && statSync(to).mtimeMs > statSync(from).mtimeMs) continue;
    const { code } = transformFileSync(from, {
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
        keepClassNames: true,
      },
      module: { type: 'es6' },
      configFile: false,
      swcrc: false,
    });
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(`${to}.new`, code);
    renameSync(`${to}.new`, to);
  }
  execFileSync(process.execPath, ['clients/typescript/build.mjs', '--js'], { stdio: 'pipe' });
  cpSync('schemas', join(FOLDER, 'schemas'), { recursive: true });
}

/** The command as a shell would receive it. */
export function commandOf(args: readonly string[]): readonly [string, ...string[]] {
  return [process.execPath, BIN, ...args];
}

export function start(args: readonly string[], { cwd, env = {} }: Launch = {}): ChildProcess {
  const [command, ...rest] = commandOf(args);
  return spawn(command, rest, {
    cwd: cwd ?? process.cwd(),
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Starts a module, with the folder of the compiled package as its argument. */
export function startModule(path: string): ChildProcess {
  return spawn(process.execPath, [path, join(FOLDER, 'dist')], { stdio: ['ignore', 'pipe', 'pipe'] });
}

export async function ended(child: ChildProcess): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, ...said };
}

/** Runs one command to its end. */
export function flowgate(args: readonly string[], launch: Launch = {}): Promise<Ended> {
  const child = start(args, launch);
  // A command that does not read stdin may have ended before it is written.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(launch.stdin ?? '');
  return ended(child);
}
