import type { RunWatch } from '../../ports/run-watch.js';
import type { RunStore } from '../../ports/run-store.js';
import { RunLogPages } from './run-log-pages.js';
import type { RunAddress, RunReader } from './run-reader.js';
import { stepOf, type RunStep } from './run-step.js';

/** The most steps that are held at once for a slow reader. */
const PAGE_STEPS = 1_000;

export interface FollowRequest extends RunAddress {
  /** `seq` of the last step that was seen. Default 0: from the start of the run. */
  readonly afterSeq?: number | undefined;
  /** Ends it early, without an error. Default: never. */
  readonly signal?: AbortSignal | undefined;
}

export interface RunFollowerOptions {
  readonly store: Pick<RunStore, 'readEvents'>;
  readonly watch: RunWatch;
  readonly reader: Pick<RunReader, 'header'>;
}

/**
 * Shows what a run does while it does it.
 *
 * 1. Steps are read from the log, so nothing is kept for slow readers, and nothing is shown that is not durable.
 * 2. It ends once the run is paused or over and everything until then was shown: to see what comes after a pause, a reader
 *    follows the run again, after the last step.
 * 3. A reader that stops taking steps leaves nothing behind.
 */
export class RunFollower {
  private readonly log: RunLogPages;
  private readonly closing = new AbortController();

  constructor(private readonly options: RunFollowerOptions) {
    this.log = new RunLogPages(options.store);
  }

  /** The process ends: the remaining readers get nothing more. */
  close(): void {
    this.closing.abort();
  }

  /** Throws an `UnknownRunError`. */
  async *follow(request: FollowRequest): AsyncGenerator<RunStep, void> {
    const { watch, reader } = this.options;
    const { runId, afterSeq = 0, signal } = request;
    const end = signal === undefined ? this.closing.signal : AbortSignal.any([signal, this.closing.signal]);
    for (let seq = afterSeq; !end.aborted;) {
      const left = new AbortController();
      const notification = watch.waitFor({
        runId,
        afterSeq: seq,
        signal: AbortSignal.any([end, left.signal]),
      });
      try {
        // The header is read first: then everything that made the run stop is in the log.
        const { status } = await reader.header(request);
        const page = await this.page(runId, seq);
        yield* page.steps;
        seq = page.seq;
        if (page.isLast) {
          if (status !== 'running' && status !== 'pending') return;
          await notification;
        }
      } catch (error) {
        // A store that was closed in the meantime cannot be read, which is no fault.
        if (!this.closing.signal.aborted) throw error;
      } finally {
        left.abort();
      }
    }
  }

  private async page(runId: string, afterSeq: number) {
    const steps: RunStep[] = [];
    let seq = afterSeq;
    const next = await this.log.walk(runId, afterSeq, (event) => {
      seq = event.seq;
      const step = stepOf(event);
      if (step !== null) steps.push(step);
      return steps.length >= PAGE_STEPS;
    });
    return { steps, seq, isLast: next === null };
  }
}
