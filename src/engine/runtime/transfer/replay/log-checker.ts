import { InvalidRequestError } from '../../../../errors/request-errors.js';
import { ShuttingDownError } from '../../../../errors/service-errors.js';
import { encodeState } from '../../../core/state/codec/state-codec.js';
import { JobThread, type Lost } from '../../../definitions/thread/job-thread.js';
import { workerBeside } from '../../../definitions/thread/worker-file.js';
import { inSlices } from '../../../scheduling/slice.js';
import type { FoldRequest } from '../folded-log.js';
import { followSteps } from './followed-log.js';

const WORKER = '../../runtime/transfer/replay/follow-worker.js';
/** Bounds of the thread: the work itself is bounded by steps, these are for what the steps do not count. */
const LIMITS = { timeLimitMs: 120_000, heapMb: 512, maxWaiting: 8 };
/** A larger state takes longer to hand over than following the log does: that is then done on the event loop, in slices. */
const MAX_SOURCE_CHARS = 4 * 1024 * 1024;

export interface FollowRequest extends FoldRequest {
  /** The export, as it was sent. */
  readonly ndjson: Uint8Array;
  /** The plan as it is stored. */
  readonly planText: string;
}

/** Follows logs that were sent with today's engine, in a thread: no other work waits for the expressions of an import. */
export class LogChecker {
  private readonly thread: JobThread | null;

  /** `worker`: the file of the threads for documents; null does all of it on the event loop, in slices. */
  constructor(worker: URL | null) {
    const url = workerBeside(worker, WORKER);
    this.thread = url === null ? null : new JobThread({ name: 'import checker', url, ...LIMITS });
  }

  /**
   * Throws an `InvalidRequestError` that names the first event that does not follow from those before it, a `BusyError` or a
   * `ShuttingDownError`.
   */
  async follow(request: FollowRequest): Promise<void> {
    const { ndjson, planText: plan, source } = request;
    if (this.thread === null || (source !== null && source.stateChars > MAX_SOURCE_CHARS)) {
      await inSlices(followSteps(request));
      return;
    }
    const encoded = source === null ? null : JSON.stringify(encodeState(source));
    const result = await this.thread.do({ kind: 'follow', ndjson, plan, source: encoded });
    if (typeof result === 'string') throw lost(result);
    if (result.kind !== 'followed')
      throw new Error(result.kind === 'failed' ? result.message : `no answer to that: ${result.kind}`);
    if (result.problem !== null) throw new InvalidRequestError(result.problem);
  }

  async close(): Promise<void> {
    await this.thread?.close();
  }
}

function lost(what: Lost): Error {
  if (what === 'closed') return new ShuttingDownError();
  const much = what === 'time' ? 'takes too long' : 'takes too much memory';
  return new InvalidRequestError(
    `The export ${much} to follow: look at it with flowgate replay in its place`,
  );
}
