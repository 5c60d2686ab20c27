import type { Job, JobResult } from './job.js';
import { charsOf, JobThread, type JobThreadOptions, type Lost } from './job-thread.js';

/** Longer jobs are known to take long. */
const SHORT_CHARS = 65_536;
/** A job that takes longer does not delay those whose work is short. */
const QUICK_MS = 2_000;
/** For how long all work of a caller is done among the long work, after a job of theirs took longer than that. */
const SLOW_MS = 10_000;
/** Beyond this many, all slow callers are forgotten: each has cost the others two seconds. */
const MANY = 1_000;

/**
 * Two threads, so that short work never waits for long work: one for jobs that are short and quick, one for all others. How
 * long a job takes cannot be known beforehand (a few lines of YAML may stand for many), so a short one is started on the
 * quick thread, and started again on the other when it is not done within two seconds.
 */
export class JobThreads {
  private readonly quick: JobThread;
  private readonly long: JobThread;
  /** Callers whose work was slow: until when it is not started on the quick thread, by `performance.now()`. */
  private readonly slow = new Map<string, number>();

  constructor(options: JobThreadOptions) {
    const { timeLimitMs = Infinity } = options;
    this.quick = new JobThread({ ...options, timeLimitMs: Math.min(QUICK_MS, timeLimitMs) });
    this.long = new JobThread(options);
  }

  /** Rejects with a `BusyError`. `caller`: whose share of the threads it takes. */
  async do(job: Job, caller: string): Promise<JobResult | Lost> {
    if (charsOf(job) > SHORT_CHARS || this.isSlow(caller)) return this.long.do(job, caller);
    const result = await this.quick.do(job, caller);
    if (result !== 'time') return result;
    if (this.slow.size >= MANY) this.slow.clear();
    this.slow.set(caller, performance.now() + SLOW_MS);
    return this.long.do(job, caller);
  }

  async close(): Promise<void> {
    await Promise.all([this.quick.close(), this.long.close()]);
  }

  private isSlow(caller: string): boolean {
    const until = this.slow.get(caller);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.slow.delete(caller);
    return false;
  }
}
