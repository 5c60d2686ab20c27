import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { testedPackage } from '../../support/tested-package.js';

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

/** The command as a shell would receive it. */
export function commandOf(args: readonly string[]): readonly [string, ...string[]] {
  return [process.execPath, join(testedPackage(), 'dist/cli/flowgate.js'), ...args];
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
  return spawn(process.execPath, [path, join(testedPackage(), 'dist')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
