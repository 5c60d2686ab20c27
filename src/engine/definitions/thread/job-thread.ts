import { Worker } from 'node:worker_threads';
import { BusyError } from '../../../errors/service-errors.js';
import { FairQueue } from '../../scheduling/queues/fair-queue.js';
import { limitComputing } from './computing-limit.js';
import { READY, type Job, type JobResult } from './job.js';

export interface JobThreadOptions {
  readonly name: string;
  /** The compiled worker, which knows the jobs that it is given. */
  readonly url: URL;
  /** How long one job may compute, in ms. Default 20,000. */
  readonly timeLimitMs?: number;
  /** What one job may take of memory, in MB. Default 256. */
  readonly heapMb?: number;
  /** Jobs that wait while one is done; more are refused. Default 32. */
  readonly maxWaiting?: number;
}

const DEFAULTS = { timeLimitMs: 20_000, heapMb: 256, maxWaiting: 32 } as const;
const LARGE_CHARS = 262_144;
/** A thread that was idle for this long ends: it would keep some 50 MB. */
const IDLE_MS = 30_000;
/** The young generation of its heap; by default a thread's is as large as the whole process's. */
const YOUNG_MB = 16;
/** The thread gets none of the process's own loaders. */
const EXEC_ARGV: string[] = [];

/** Why a job has no result. */
export type Lost = 'time' | 'memory' | 'closed';

interface Waiting {
  readonly job: Job;
  readonly resolve: (result: JobResult | Lost) => void;
  readonly reject: (error: BusyError) => void;
}

/**
 * A thread for work that would block the event loop.
 *
 * 1. It does one job at a time, so that its death costs one job, and every other one waits. Callers are served in rounds.
 * 2. A job that takes too long or too much memory ends with its thread, and the next one has a new thread.
 * 3. What waits is bounded: beyond it, the newest job of the caller with the most waiting is refused with a `BusyError`.
 * 4. It keeps the process alive only while a caller waits for a result.
 */
export class JobThread {
  private readonly options: Required<JobThreadOptions>;
  private readonly waiting: FairQueue<Waiting>;
  private worker: Worker | null = null;
  private isReady = false;
  /** Whether the thread did a large job. */
  private wasLarge = false;
  private current: Waiting | null = null;
  private endLimit: (() => void) | null = null;
  private idle: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(options: JobThreadOptions) {
    this.options = { ...DEFAULTS, ...options };
    this.waiting = new FairQueue(this.options.maxWaiting);
  }

  /** Rejects with a `BusyError`. `caller`: whose round it is served in. */
  async do(job: Job, caller = ''): Promise<JobResult | Lost> {
    if (this.isClosed) return 'closed';
    return new Promise((resolve, reject) => {
      const refused = this.waiting.add(caller, { job, resolve, reject });
      refused?.reject(new BusyError(this.options.name));
      this.next();
    });
  }

  /** Jobs that are under way or wait are lost. */
  async close(): Promise<void> {
    this.isClosed = true;
    const { worker } = this;
    for (let next = this.waiting.take(); next !== undefined; next = this.waiting.take())
      next.resolve('closed');
    this.lose('closed');
    await worker?.terminate();
  }

  private next(): void {
    if (this.current !== null) return;
    const next = this.waiting.take();
    if (next === undefined) {
      // The memory that a large job took stays with its thread, so the thread ends.
      if (this.wasLarge) this.lose('closed');
      else this.startIdleTimer();
      return;
    }
    this.wasLarge ||= charsOf(next.job) > LARGE_CHARS;
    this.current = next;
    if (this.idle !== null) clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    worker.ref();
    if (this.isReady) this.beginTime(worker);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; this is a thread
    worker.postMessage(next.job);
  }

  /** The time of a job begins once its thread has started, however long that takes on a busy machine. */
  private beginTime(worker: Worker): void {
    this.endLimit?.();
    this.endLimit = limitComputing(worker, this.options.timeLimitMs, () => this.lose('time'));
  }

  private startIdleTimer(): void {
    const { worker } = this;
    if (worker === null) return;
    worker.unref();
    this.idle = setTimeout(() => {
      if (this.worker === worker && this.current === null) this.lose('closed');
    }, IDLE_MS).unref();
  }

  private start(): Worker {
    const { url, name, heapMb } = this.options;
    const worker = new Worker(url, {
      name,
      execArgv: EXEC_ARGV,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    let cause: JobResult | Lost = { kind: 'failed', message: `the ${name} thread ended` };
    worker.on('message', (result: JobResult | typeof READY) => {
      if (this.worker !== worker) return;
      if (result !== READY) this.settle(result);
      else {
        this.isReady = true;
        if (this.current !== null) this.beginTime(worker);
      }
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') cause = 'memory';
      else cause = { kind: 'failed', message: `the ${name} thread failed: ${error.message}` };
    });
    worker.on('exit', () => {
      if (this.worker === worker) this.lose(cause);
    });
    return worker;
  }

  private settle(result: JobResult | Lost): void {
    const { current } = this;
    this.current = null;
    this.endLimit?.();
    this.endLimit = null;
    current?.resolve(result);
    this.next();
  }

  /** Ends the thread; the current job has `cause` for a result. */
  private lose(cause: JobResult | Lost): void {
    const { worker } = this;
    this.worker = null;
    this.isReady = false;
    this.wasLarge = false;
    if (this.idle !== null) clearTimeout(this.idle);
    void worker?.terminate();
    if (this.current !== null) this.settle(cause);
  }
}

/** How much there is to do, as far as its length shows. */
export function charsOf(job: Job): number {
  switch (job.kind) {
    case 'compile':
    case 'check':
      return job.document.yaml.length;
    case 'check-input':
      return job.input.length;
    case 'read-units':
    case 'locate':
      return job.yaml.length;
    case 'compare-lines':
      return job.from.text.length + job.to.text.length;
    case 'follow':
      return job.ndjson.length + (job.source?.length ?? 0);
  }
}
