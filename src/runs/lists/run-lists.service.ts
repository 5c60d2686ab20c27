import { Inject, Injectable, type StreamableFile } from '@nestjs/common';
import { ENGINE } from '../../config/instance-tokens.js';
import type { Engine, Page, RunItem } from '../../engine/index.js';
import { asNotFound } from '../../errors/not-found.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import type { EdgeResponse } from '../../http/edge-response.js';
import { EventStreams } from '../../http/event-stream/event-streams.js';
import { listFrames } from '../../http/event-stream/list-frames.js';
import { refuseHead } from '../../http/event-stream/negotiation.js';
import { Query } from '../../http/query/query.js';
import { listRequestIn } from './run-list-query.js';

/** Lists and watches runs. */
@Injectable()
export class RunListsService {
  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    private readonly streams: EventStreams,
  ) {}

  list(query: Query): Promise<Page<RunItem>> {
    return this.engine.runs.list(listRequestIn(query, null));
  }

  /**
   * Also works for a workflow that is no longer registered. Throws a `NotFoundError` if neither it nor a run of it
   * exists.
   */
  async listOf(workflowId: string, query: Query): Promise<Page<RunItem>> {
    await this.assertKnown(workflowId);
    return this.engine.runs.list(listRequestIn(query, workflowId));
  }

  /**
   * `workflowId`: the one of the address; null: the query may name it. Throws as the list does, and if no stream can
   * be opened.
   */
  async watch(
    workflowId: string | null,
    request: EdgeRequest,
    response: EdgeResponse,
  ): Promise<StreamableFile> {
    refuseHead(request);
    this.streams.assertCapacity();
    if (workflowId !== null) await this.assertKnown(workflowId);
    const asked = listRequestIn(new Query(request.url), workflowId);
    this.engine.runs.checkWatch(asked);
    return this.streams.answer(response, (signal) =>
      listFrames(this.engine.runs.watch({ ...asked, signal })),
    );
  }

  private async assertKnown(workflowId: string): Promise<void> {
    if (await this.engine.workflows.has(workflowId)) return;
    const { items } = await this.engine.runs.list({ workflowId, limit: 1 });
    if (items.length > 0) return;
    throw asNotFound(await this.engine.workflows.unknown(workflowId));
  }
}
