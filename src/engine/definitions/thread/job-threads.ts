import type { Job, JobAnswer } from './job.js';
import { charsOf, JobThread, type JobThreadOptions, type Lost } from './job-thread.js';

/** What is longer is known to take long. */
const SHORT_CHARS = 65_536;
/** What takes longer holds up nobody whose work is short. */
const QUICK_MS = 2_000;
/** How long a caller whose work took longer than that has all of it done among the long. */
const SLOW_MS = 10_000;
/** Beyond so many they are forgotten: each has cost the others two seconds. */
const MANY = 1_000;

/**
 * Two threads, so that short work waits for no long work: one for what is short and soon done, one for everything else.
 * How long something takes nobody knows beforehand (a few lines of YAML may stand for many), so what is short is begun among
 * the short, and begun anew among the long where it is not done within two seconds.
 */
export class JobThreads {
  private readonly quick: JobThread;
  private readonly long: JobThread;
  /** Callers whose work was not soon done: until when it is not begun among the short, by `performance.now()`. */
  private readonly slow = new Map<string, number>();

  constructor(options: JobThreadOptions) {
    const { timeLimitMs = Infinity } = options;
    this.quick = new JobThread({ ...options, timeLimitMs: Math.min(QUICK_MS, timeLimitMs) });
    this.long = new JobThread(options);
  }

  /** Rejects with a `BusyError`. `caller`: whose share of the threads it takes. */
  async do(job: Job, caller: string): Promise<JobAnswer | Lost> {
    if (charsOf(job) > SHORT_CHARS || this.isSlow(caller)) return this.long.do(job, caller);
    const answer = await this.quick.do(job, caller);
    if (answer !== 'time') return answer;
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
