import type { RunAddress } from '../backend.js';
import { checkId, checkRun, checkText } from '../calls/arguments.js';
import type { Asking } from '../calls/asking.js';
import { checkLimit } from '../calls/limits.js';
import type { CallOptions } from '../options.js';
import type { PageOptions } from '../options/lists.js';
import type { Snapshot, SnapshotPage } from '../types/snapshots.js';

/** The checkpoints of runs. */
export class Snapshots {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async page({ workflowId, runId }: RunAddress, options: PageOptions): Promise<SnapshotPage> {
    checkRun(workflowId, runId);
    const { limit, cursor } = options;
    checkLimit(limit);
    checkText('cursor', cursor);
    const request = { workflowId, runId, limit, cursor };
    return this.#asking.call('listSnapshots', options, ({ snapshots }, signal) =>
      snapshots.page(request, signal),
    );
  }

  async one({ workflowId, runId }: RunAddress, snapshotId: string, options: CallOptions): Promise<Snapshot> {
    checkRun(workflowId, runId);
    checkId('snapshotId', snapshotId);
    const request = { workflowId, runId, snapshotId };
    return this.#asking.call('getSnapshot', options, ({ snapshots }, signal) =>
      snapshots.one(request, signal),
    );
  }
}
