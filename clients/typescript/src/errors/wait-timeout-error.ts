import type { RunRecord } from '../types/records.js';
import { FlowgateClientError } from './client-error.js';

/** `waitForRun` was given so much time, and the run was still moving at its end. The run continues. */
export class FlowgateWaitTimeoutError extends FlowgateClientError {
  override readonly name: string = 'FlowgateWaitTimeoutError';

  constructor(
    timeoutMs: number,
    /** As it was last read; null: not even that came in time. */
    readonly record: RunRecord | null,
  ) {
    super(
      `The run was not over after ${timeoutMs} ms; it goes on: wait again, or give it a longer timeoutMs`,
    );
  }
}
