import { Injectable } from '@nestjs/common';
import type { ActingEngine, RunMessage, Snapshot, SnapshotSummary } from '../../engine/index.js';
import { HISTORY_PAGE } from '../../engine/request-limits.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import type { RequestContext } from '../../http/identity/request-context.js';
import type { Query } from '../../http/query/query.js';
import { namesOf, PAGE, PAGE_OF_SNAPSHOTS } from '../../openapi/parameters.js';
import { orNotFound } from '../or-not-found.js';
import {
  backwardCursorOf,
  checkedCursor,
  cursorOf,
  seqOfBackwardCursor,
  seqOfCursor,
  type Paged,
} from './page-cursor.js';

const AFTER_SEQ = { least: 0, most: Number.MAX_SAFE_INTEGER, usual: 0 };

/** The response of `GET …/messages`; oldest first. */
export interface MessageList {
  readonly messages: readonly RunMessage[];
  /** The `cursor` of the next page; null at the end. Until then a page may be short, or empty. */
  readonly next: string | null;
}

/** The response of `GET …/snapshots`; newest first. */
export interface SnapshotList {
  readonly snapshots: readonly SnapshotSummary[];
  /** As in `MessageList`. */
  readonly next: string | null;
}

/** What reading a run takes of its request. */
type Reading = Pick<RequestContext, 'engine'>;

/** The messages of a run, and the checkpoints that it can go back to. */
@Injectable()
export class RunHistoryService {
  /** `cursor` (or `afterSeq`) and `limit` (1,000 by default and at most) of the query choose the page. */
  async messages(workflowId: string, runId: string, query: Query, { engine }: Reading): Promise<MessageList> {
    await orNotFound(engine.runs.assertExists({ workflowId, runId }));
    query.expectOnly(namesOf(PAGE));
    const page = { afterSeq: afterSeqOf('messages', query), limit: query.wholeNumber('limit', HISTORY_PAGE) };
    const { messages, next } = await orNotFound(engine.runs.messages({ workflowId, runId, ...page }));
    return { messages, next: cursorOf('messages', next) };
  }

  /** As `messages`, newest first; with `afterSeq`, which is older than that order, oldest first. */
  async snapshots(
    workflowId: string,
    runId: string,
    query: Query,
    { engine }: Reading,
  ): Promise<SnapshotList> {
    const run = { workflowId, runId };
    await orNotFound(engine.runs.assertExists(run));
    query.expectOnly(namesOf(PAGE_OF_SNAPSHOTS));
    const cursor = query.text('cursor');
    const beforeSeq = cursor === null ? null : seqOfBackwardCursor('snapshots', runId, cursor);
    const isOldestFirst = query.text('afterSeq') !== null || (cursor !== null && beforeSeq === null);
    if (isOldestFirst) return this.oldestSnapshots(engine, run, query);
    const page = { beforeSeq: beforeSeq ?? undefined, limit: query.wholeNumber('limit', HISTORY_PAGE) };
    const { snapshots, next } = await orNotFound(engine.runs.newestSnapshots({ ...run, ...page }));
    return { snapshots, next: backwardCursorOf('snapshots', runId, next) };
  }

  private async oldestSnapshots(
    engine: ActingEngine,
    run: { readonly workflowId: string; readonly runId: string },
    query: Query,
  ): Promise<SnapshotList> {
    const page = {
      afterSeq: afterSeqOf('snapshots', query),
      limit: query.wholeNumber('limit', HISTORY_PAGE),
    };
    const { snapshots, next } = await orNotFound(engine.runs.snapshotPage({ ...run, ...page }));
    return { snapshots, next: cursorOf('snapshots', next) };
  }

  snapshot(workflowId: string, runId: string, snapshotId: string, { engine }: Reading): Promise<Snapshot> {
    return orNotFound(engine.runs.snapshot({ workflowId, runId, snapshotId }));
  }
}

/** `afterSeq` is the earlier name of `cursor`: it takes the seq of an event, or a `next`. */
function afterSeqOf(paged: Paged, query: Query): number {
  const cursor = query.text('cursor');
  const after = query.text('afterSeq');
  if (cursor === null) {
    const afterSeq = after === null ? null : seqOfCursor(paged, after);
    return afterSeq ?? query.wholeNumber('afterSeq', AFTER_SEQ);
  }
  if (after !== null) throw new InvalidRequestError('cursor and afterSeq are given: send cursor alone');
  return checkedCursor(paged, cursor);
}
