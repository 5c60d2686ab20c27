import { Worker } from 'node:worker_threads';
import { BusyError } from '../../../errors/service-errors.js';
import { FairQueue } from '../../fair-queue.js';
import { limitComputing } from './computing-limit.js';
import { READY, type Job, type JobAnswer } from './job.js';

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
/** A thread that has nothing to do for so long ends: it would keep some 50 MB. */
const IDLE_MS = 30_000;
/** What is new in its heap; by default a thread takes as much as the whole process. */
const YOUNG_MB = 16;
/** None of the process's own loaders. */
const EXEC_ARGV: string[] = [];

/** Why a job has no answer. */
export type Lost = 'time' | 'memory' | 'closed';

interface Waiting {
  readonly job: Job;
  readonly resolve: (answer: JobAnswer | Lost) => void;
  readonly reject: (error: BusyError) => void;
}

/**
 * A thread for work that would keep the event loop from everybody else.
 *
 * 1. One job at a time, so that a death is the death of one job, and every other waits its turn. Callers take turns.
 * 2. A job that takes too long or too much memory ends with its thread, and the next one has a new thread.
 * 3. What waits is bounded: beyond it the newest of whoever has most waiting is refused with a `BusyError`.
 * 4. It keeps the process alive only while somebody waits for an answer.
 */
export class JobThread {
  private readonly options: Required<JobThreadOptions>;
  private readonly waiting: FairQueue<Waiting>;
  private worker: Worker | null = null;
  private isReady = false;
  /** The thread did a large job. */
  private wasLarge = false;
  private current: Waiting | null = null;
  private endLimit: (() => void) | null = null;
  private idle: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(options: JobThreadOptions) {
    this.options = { ...DEFAULTS, ...options };
    this.waiting = new FairQueue(this.options.maxWaiting);
  }

  /** Rejects with a `BusyError`. `caller`: whose turn it takes. */
  async do(job: Job, caller = ''): Promise<JobAnswer | Lost> {
    if (this.isClosed) return 'closed';
    return new Promise((resolve, reject) => {
      const refused = this.waiting.add(caller, { job, resolve, reject });
      refused?.reject(new BusyError(this.options.name));
      this.next();
    });
  }

  /** What is under way or waits is lost. */
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
      // What a large job took of memory stays with its thread.
      if (this.wasLarge) this.lose('closed');
      else this.rest();
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

  /** A thread that only begins has had no time yet, however busy the machine is. */
  private beginTime(worker: Worker): void {
    this.endLimit?.();
    this.endLimit = limitComputing(worker, this.options.timeLimitMs, () => this.lose('time'));
  }

  private rest(): void {
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
    let cause: JobAnswer | Lost = { kind: 'failed', message: `the ${name} thread ended` };
    worker.on('message', (answer: JobAnswer | typeof READY) => {
      if (this.worker !== worker) return;
      if (answer !== READY) this.settle(answer);
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

  private settle(answer: JobAnswer | Lost): void {
    const { current } = this;
    this.current = null;
    this.endLimit?.();
    this.endLimit = null;
    current?.resolve(answer);
    this.next();
  }

  /** Ends the thread; the job in hand has that for an answer. */
  private lose(cause: JobAnswer | Lost): void {
    const { worker } = this;
    this.worker = null;
    this.isReady = false;
    this.wasLarge = false;
    if (this.idle !== null) clearTimeout(this.idle);
    void worker?.terminate();
    if (this.current !== null) this.settle(cause);
  }
}

/** How much there is to do, as far as its length tells. */
export function charsOf(job: Job): number {
  switch (job.kind) {
    case 'compile':
    case 'check':
      return job.document.yaml.length;
    case 'check-input':
      return job.input.length;
    case 'read-units':
      return job.yaml.length;
    case 'compare-lines':
      return job.from.text.length + job.to.text.length;
    case 'follow':
      return job.ndjson.length + (job.source?.length ?? 0);
  }
}
