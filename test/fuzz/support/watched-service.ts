import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtMain } from '../../crash/support/built-service.js';
import type { LoopReport } from './loop-report.js';

const REPORTER = pathToFileURL(join(process.cwd(), 'test/fuzz/support/loop-reporter.ts')).href;
const FLAGS = ['--disable-warning=ExperimentalWarning', '--expose-gc', '--import', REPORTER];
const LISTENS = /Flowgate listens on (http:\/\/[\d.]+:\d+)/;

/** The built service with its default settings, and a look at its event loop from inside. */
export interface WatchedService {
  readonly url: string;
  /** Null as long as it lives, else how it ended. */
  readonly ended: () => string | null;
  /** Rejects when the process is gone. */
  look(order: 'look' | 'look-after-gc'): Promise<LoopReport>;
  close(): Promise<void>;
}

export async function startWatchedService(): Promise<WatchedService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'flowgate-fuzz-'));
  const child = fork(builtMain(), [], {
    execArgv: FLAGS,
    env: { PORT: '0', HOST: '127.0.0.1', FLOWGATE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const said = collect(child);
  let ended: string | null = null;
  const exit = once(child, 'exit').then(([code, signal]) => {
    ended = `it ended with ${code ?? signal}: ${said()}`;
    return null;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const address = LISTENS.exec(said())?.[1];
      if (address !== undefined) resolve(address);
    });
    void exit.then(() => reject(new Error(ended ?? '')));
  });
  return {
    url,
    ended: () => ended,
    async look(order) {
      if (ended === null) child.send(order);
      const answer = await Promise.race([once(child, 'message'), exit]);
      if (answer === null) throw new Error(ended ?? '');
      return answer[0] as LoopReport;
    },
    async close() {
      child.kill('SIGKILL');
      await exit;
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** The last of what it wrote. */
function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => (text = `${text}${chunk.toString()}`.slice(-4_000)));
  }
  return () => text;
}
