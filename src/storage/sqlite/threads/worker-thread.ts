import { Worker } from 'node:worker_threads';
import { StoreError } from '../../../errors/service-errors.js';
import { storeErrorOf } from '../connection/sqlite-fault.js';
import { CLOSE, type SettledResult } from './serve.js';

interface Call<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: StoreError) => void;
}

export interface WorkerThreadOptions {
  readonly name: string;
  readonly url: URL;
  /** The database file that the worker opens; its `workerData`. */
  readonly file: string;
  /** The thread ends after this long without work, and is started again when there is some. Default: it stays. */
  readonly idleMs?: number;
}

/** The young generation of its heap: its messages come and go. By default a thread's is as large as the whole process's. */
const YOUNG_MB = 16;
/** The thread gets none of the process's own loaders, and Node 22 need not warn about SQLite once for every thread. */
const EXEC_ARGV = ['--disable-warning=ExperimentalWarning'];

/**
 * A worker that handles messages in order. It keeps the process alive only while a caller waits for a result. Should it die,
 * all waiting calls are rejected, and the next one starts another. A worker that is seldom needed need not stay: a thread
 * takes some 10 MB, and is there again in some 50 ms.
 */
export class WorkerThread<Message, Result> {
  private worker: Worker | null = null;
  private calls: Call<Result>[] = [];
  private idle: NodeJS.Timeout | null = null;
  /** The threads that end because they were idle: their files are still open. */
  private ending: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: WorkerThreadOptions) {}

  /** Whether a caller waits for a result. */
  get isBusy(): boolean {
    return this.calls.length > 0;
  }

  /** Whether a call would have to start the thread. */
  get isAtRest(): boolean {
    return this.worker === null;
  }

  /** Rejects with a `StoreError`, but with the thread's own error for a message that cannot be sent. */
  call(message: Message): Promise<Result> {
    return new Promise((resolve, reject) => {
      const worker = this.worker ?? this.start();
      // Posted first: should this throw, no call waits that would take the result of another.
      post(worker, message);
      if (this.calls.length === 0) this.wake(worker);
      this.calls.push({ resolve, reject });
    });
  }

  /** Lets the worker finish its calls and close its files. */
  async close(): Promise<void> {
    const { worker } = this;
    if (this.idle !== null) clearTimeout(this.idle);
    await Promise.all([this.ending, worker === null ? null : ended(worker)]);
  }

  private wake(worker: Worker): void {
    worker.ref();
    if (this.idle !== null) clearTimeout(this.idle);
    this.idle = null;
  }

  private startIdleTimer(worker: Worker): void {
    const { idleMs } = this.options;
    worker.unref();
    if (idleMs === undefined) return;
    this.idle = setTimeout(() => {
      if (this.worker !== worker || this.calls.length > 0) return;
      this.worker = null;
      this.ending = Promise.all([this.ending, ended(worker)]);
    }, idleMs).unref();
  }

  private start(): Worker {
    const { url, name, file } = this.options;
    const worker = new Worker(url, {
      name,
      workerData: file,
      execArgv: EXEC_ARGV,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.unref();
    worker.on('message', (results: readonly SettledResult<Result>[]) => {
      for (const result of results) this.receive(result);
      if (this.calls.length === 0) this.startIdleTimer(worker);
    });
    // An uncaught error in the worker is followed by its exit.
    let cause: unknown;
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => this.lose(worker, cause));
    this.worker = worker;
    return worker;
  }

  private receive([isDone, value]: SettledResult<Result>): void {
    const call = this.calls.shift();
    if (call === undefined) return;
    if (isDone) call.resolve(value);
    else call.reject(storeErrorOf(value, this.options.file));
  }

  private lose(worker: Worker, cause: unknown): void {
    if (this.worker !== worker) return;
    this.worker = null;
    const lost = this.calls;
    this.calls = [];
    const error = new StoreError(`The ${this.options.name} thread ended: try again, a new one is started`, {
      cause,
    });
    for (const { reject } of lost) reject(error);
  }
}

/** Lets the worker finish its calls and close its files. */
async function ended(worker: Worker): Promise<void> {
  const exit = new Promise((resolve) => worker.once('exit', resolve));
  worker.ref();
  post(worker, CLOSE);
  await exit;
}

function post(worker: Worker, message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; this is a thread
  worker.postMessage(message);
}
