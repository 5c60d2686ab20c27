import { Injectable } from '@nestjs/common';
import { Engine, type MessagePage, type Snapshot, type SnapshotSummary } from '../engine/index.js';
import type { Query } from '../http/query.js';
import { orNotFound } from './or-not-found.js';

const AFTER_SEQ = { least: 0, most: Number.MAX_SAFE_INTEGER, fallback: 0 };
const LIMIT = { least: 1, most: 1_000, fallback: 1_000 };

/** What happened in a run, and the checkpoints that it can go back to. */
@Injectable()
export class RunHistoryService {
  constructor(private readonly engine: Engine) {}

  /** `afterSeq` (default 0) and `limit` (default and most 1,000) of the query choose the page. */
  async messages(workflowId: string, runId: string, query: Query): Promise<MessagePage> {
    await orNotFound(this.engine.runs.assertExists({ workflowId, runId }));
    const afterSeq = query.wholeNumber('afterSeq', AFTER_SEQ);
    const limit = query.wholeNumber('limit', LIMIT);
    return orNotFound(this.engine.runs.messages({ workflowId, runId, afterSeq, limit }));
  }

  async snapshots(
    workflowId: string,
    runId: string,
  ): Promise<{ readonly snapshots: readonly SnapshotSummary[] }> {
    return { snapshots: await orNotFound(this.engine.runs.snapshots({ workflowId, runId })) };
  }

  snapshot(workflowId: string, runId: string, snapshotId: string): Promise<Snapshot> {
    return orNotFound(this.engine.runs.snapshot({ workflowId, runId, snapshotId }));
  }
}
