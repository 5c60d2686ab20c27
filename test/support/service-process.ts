import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testedPackage } from './tested-package.js';

/** `main.js` in a process of its own, in a folder of its own. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** What it wrote so far. */
  readonly said: { stdout: string; stderr: string };
  /** Resolves with the address once the process says that it listens; rejects when it ends before. */
  listening(): Promise<string>;
  ended(): Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Kills it if need be, and removes its folder. */
  clear(): Promise<void>;
}

export interface StartOptions {
  /** In place of `main.js`, as a module next to it. */
  readonly script?: string;
  /** Runs it as somebody else (needs root). */
  readonly uid?: number | undefined;
}

export function startProcess(
  environment: Readonly<Record<string, string>> = {},
  { script, uid }: StartOptions = {},
): ServiceProcess {
  const folder = mkdtempSync(join(tmpdir(), 'flowgate-'));
  // Test files run at the same time.
  const own = `script-${process.env['JEST_WORKER_ID'] ?? '0'}.js`;
  const main = join(testedPackage(), 'dist', script === undefined ? 'main.js' : own);
  if (script !== undefined) writeFileSync(main, script);
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', FLOWGATE_STORE: 'memory', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  if (uid !== undefined) chownSync(folder, uid, uid);
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  const exit = once(child, 'close') as Promise<[number | null, string | null]>;

  return {
    child,
    said,
    async listening() {
      for (;;) {
        const address = /listens on (http:\/\/[^\s"]+)/.exec(said.stdout)?.[1];
        if (address !== undefined) return address;
        // A killed process has a signal and no code: without it this would loop for ever, and take all memory.
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`It ended: ${said.stdout}${said.stderr}`);
        await Promise.race([once(child.stdout, 'data'), exit]);
      }
    },
    async ended() {
      const [code, signal] = await exit;
      return { code, signal };
    },
    async clear() {
      child.kill('SIGKILL');
      await exit;
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
