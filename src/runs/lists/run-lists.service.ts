import { Injectable, type StreamableFile } from '@nestjs/common';
import type { ActingEngine, Page, RunItem } from '../../engine/index.js';
import { asNotFound } from '../../errors/request-errors.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import type { EdgeResponse } from '../../http/edge-response.js';
import { EventStreams } from '../../http/event-stream/event-streams.js';
import { listFrames } from '../../http/event-stream/list-frames.js';
import { refuseHead } from '../../http/event-stream/negotiation.js';
import type { RequestContext } from '../../http/identity/request-context.js';
import { Query } from '../../http/query/query.js';
import { listRequestIn } from './run-list-query.js';

/** What reading runs takes of its request. */
type Reading = Pick<RequestContext, 'engine'>;

/** Lists and watches runs. */
@Injectable()
export class RunListsService {
  constructor(private readonly streams: EventStreams) {}

  list(query: Query, { engine }: Reading): Promise<Page<RunItem>> {
    return engine.runs.list(listRequestIn(query, null));
  }

  /**
   * Also works for a workflow that is no longer registered. Throws a `NotFoundError` if neither it nor a run of it
   * exists.
   */
  async listOf(workflowId: string, query: Query, { engine }: Reading): Promise<Page<RunItem>> {
    await assertKnown(engine, workflowId);
    return engine.runs.list(listRequestIn(query, workflowId));
  }

  /**
   * `workflowId`: the one of the address; null: the query may name it. Throws as the list does, and if no stream can
   * be opened.
   */
  async watch(
    workflowId: string | null,
    request: EdgeRequest,
    response: EdgeResponse,
    { engine }: Reading,
  ): Promise<StreamableFile> {
    refuseHead(request);
    this.streams.assertCapacity(response);
    if (workflowId !== null) await assertKnown(engine, workflowId);
    const asked = listRequestIn(new Query(request.url), workflowId);
    await engine.runs.checkWatch(asked);
    return this.streams.answer(response, (signal) => listFrames(engine.runs.watch({ ...asked, signal })), {
      workflowId,
    });
  }
}

async function assertKnown({ runs, workflows }: ActingEngine, workflowId: string): Promise<void> {
  if (await runs.isListable(workflowId)) return;
  throw asNotFound(await workflows.unknown(workflowId));
}
