import { Inject, Injectable, Logger } from '@nestjs/common';
import { checkedStatuses, EDGE_DEFAULTS, type EdgeOptions } from '../../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../../config/options.module.js';
import type { BatchedStart, BatchedStartResult, RunRecord } from '../../engine/index.js';
import type { StatusKind } from '../../errors/http-status.js';
import { InvalidRequestError, asNotFound } from '../../errors/request-errors.js';
import { UnknownWorkflowError } from '../../errors/run-errors.js';
import type { BodySource, RequestContext } from '../../http/identity/request-context.js';
import { inSlices } from '../../http/long-responses/long-response.js';
import { refusedItem, type RefusedItem } from '../../http/refusals/refused-item.js';
import { ShapePipe } from '../../http/validation/shape.pipe.js';
import { withWarnings } from '../../http/validation/unread-fields.js';
import { actorOf } from '../actor-of.js';
import { StartBatchDto } from '../dto/start-batch.dto.js';
import { batchedItem, refusedBeside, type BatchedItem } from './batched-item.js';

/** The response to a batch: what became of each run, in the order of the request. */
export interface StartedBatch {
  readonly runs: readonly (RunRecord | RefusedItem)[];
}

const NOBODY_READS_IT: StartedBatch = Object.freeze({ runs: [] });

/** Starts batches of runs. Whether the workflow exists is checked before the body is read. */
@Injectable()
export class RunBatchesService {
  private readonly logger = new Logger('Flowgate');
  private readonly shape = new ShapePipe(StartBatchDto, null, refusedBeside);
  private readonly statuses: StatusKind;

  /** Throws a `ConfigError`. */
  constructor(@Inject(FLOWGATE_OPTIONS) { statuses = EDGE_DEFAULTS.statuses }: EdgeOptions) {
    this.statuses = checkedStatuses(statuses);
  }

  /**
   * Throws a `NotFoundError` for a workflow that is not registered, and an `InvalidRequestError` for what is wrong with the
   * request as a whole; then nothing was started. What is wrong with one run stands in its place in the response.
   */
  async start(workflowId: string, body: BodySource, context: RequestContext): Promise<StartedBatch> {
    await context.engine.runs.assertStartable(workflowId).catch((error: unknown) => {
      throw error instanceof UnknownWorkflowError ? asNotFound(error) : error;
    });
    const { runs } = this.shape.transform(await body(), context);
    refuseKeyOfAll(context);
    const items: BatchedItem[] = [];
    for await (const given of inSlices(runs)) items.push(batchedItem(given, context));
    const starts = items.flatMap((item) => (item.ok ? [item.start] : []));
    const results = await this.startAll(workflowId, starts, context);
    if (context.waiting?.signal?.aborted === true) return NOBODY_READS_IT;
    let next = 0;
    return {
      runs: items.map((item) =>
        item.ok
          ? this.shown(results[next++] as BatchedStartResult, item.unread)
          : refusedItem(item.error, this.statuses, this.logger),
      ),
    };
  }

  /** The engine takes no empty batch, which is left where every item has a fault. */
  private async startAll(
    workflowId: string,
    runs: readonly BatchedStart[],
    context: RequestContext,
  ): Promise<readonly BatchedStartResult[]> {
    if (runs.length === 0) return [];
    const { caller, engine, waiting } = context;
    const request = { workflowId, runs, by: actorOf(context), caller, signal: waiting?.signal };
    return engine.runs.startBatch(request);
  }

  private shown(result: BatchedStartResult, unread: readonly string[]): RunRecord | RefusedItem {
    return result.ok
      ? withWarnings(result.run, unread)
      : refusedItem(result.error, this.statuses, this.logger);
  }
}

function refuseKeyOfAll({ idempotencyKey }: RequestContext): void {
  if (idempotencyKey === undefined || idempotencyKey === null) return;
  throw new InvalidRequestError(
    'Idempotency-Key is not for a batch: leave the header out, and give each of its runs an idempotencyKey',
  );
}
