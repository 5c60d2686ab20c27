import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { builtMain } from './built-service.js';

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export interface Launch {
  readonly dataDir: string;
  /** Variables in addition to those of every service of these tests. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Runs the process as another user (needs root). */
  readonly uid?: number;
}

const LISTENS = /Flowgate listens on (http:\/\/[\d.]+:\d+)/;

/** One process of `node dist/main.js`, on a free port. */
export class ServiceProcess {
  /** Resolves with the base address; rejects when the process ends before it listens. */
  readonly listening: Promise<string>;
  readonly ended: Promise<ProcessEnd>;
  private readonly child: ChildProcess;
  private stdout = '';
  private stderr = '';

  constructor({ dataDir, environment = {}, uid }: Launch) {
    this.child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', builtMain()], {
      env: {
        PORT: '0',
        HOST: '127.0.0.1',
        FLOWGATE_STORE: 'sqlite',
        FLOWGATE_DATA_DIR: dataDir,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = once(this.child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stderr: this.stderr,
    }));
    this.listening = this.untilListening();
    // A test that kills a process that still starts does not care that it never listened.
    this.listening.catch(() => {});
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Everything it wrote so far. */
  get output(): string {
    return this.stdout + this.stderr;
  }

  /** SIGKILL: no handler runs, nothing is flushed. */
  async kill(): Promise<ProcessEnd> {
    this.child.kill('SIGKILL');
    return this.ended;
  }

  async terminate(): Promise<ProcessEnd> {
    this.child.kill('SIGTERM');
    return this.ended;
  }

  private untilListening(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.child.stdout?.on('data', (chunk: Buffer) => {
        this.stdout += chunk.toString();
        const url = LISTENS.exec(this.stdout)?.[1];
        if (url !== undefined) resolve(url);
      });
      void this.ended.then(({ code, signal }) =>
        reject(new Error(`The service ended with ${code ?? signal} before it listened:\n${this.output}`)),
      );
    });
  }
}
