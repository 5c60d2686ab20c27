import { Injectable } from '@nestjs/common';
import type { JsonObject, RunRecord } from '../engine/index.js';
import { NotFoundError } from '../errors/request-errors.js';
import { UnknownRunError } from '../errors/run-errors.js';
import type { Wording } from '../errors/wording.js';
import type { RequestContext, BodySource } from '../http/identity/request-context.js';
import { JsonBytes, jsonBytes } from '../http/long-responses/json-bytes.js';
import { checkedIdempotencyKey } from '../http/idempotency-key.js';
import { ShapePipe } from '../http/validation/shape.pipe.js';
import { unreadFields, withWarnings } from '../http/validation/unread-fields.js';
import { ResumeRunDto } from './dto/resume-run.dto.js';
import { StartRunDto } from './dto/start-run.dto.js';
import { StopRunDto } from './dto/stop-run.dto.js';
import { RESUME_WORDS, START_WITHOUT_INPUT, START_WORDS, STOP_WORDS } from './dto/unread-words.js';
import { orNotFound } from './or-not-found.js';
import { actorOf } from './actor-of.js';
import { recordViewOf } from './record-view.js';

const HOW_TO_FIND: Wording = ({ runs, setting }) =>
  `${runs}; one that ended long ago may have been deleted (${setting('FLOWGATE_RETENTION_DAYS')}).`;

/** What reading a run takes of its request. */
type Reading = Pick<RequestContext, 'engine'>;

/** Starts, reads, resumes, cancels, pauses and compensates runs. Whether workflow and run exist is checked before the body is read. */
@Injectable()
export class RunsService {
  private readonly startShape = new ShapePipe(StartRunDto);
  private readonly resumeShape = new ShapePipe(ResumeRunDto);
  private readonly stopShape = new ShapePipe(StopRunDto);

  async start(workflowId: string, body: BodySource, context: RequestContext): Promise<RunRecord> {
    const { runs } = context.engine;
    await runs.assertStartable(workflowId);
    const given = await body();
    const { input, labels, sync, syncUntil } = this.startShape.transform(given, context);
    const ofOthers = input === undefined ? START_WITHOUT_INPUT : null;
    const unread = unreadFields(
      { given, known: this.startShape.fields, words: START_WORDS, ofOthers },
      context,
    );
    const record = await runs.start({
      workflowId,
      input: input as JsonObject | undefined,
      labels: labels as Readonly<Record<string, string>> | undefined,
      sync,
      syncUntil,
      ...context.waiting,
      idempotencyKey: checkedIdempotencyKey(context.idempotencyKey),
      by: actorOf(context),
      caller: context.caller,
    });
    return withWarnings(record, unread);
  }

  /** Throws an `UnknownRunError` for a run that the workflow does not have. */
  assertRun(workflowId: string, runId: string, { engine }: Reading): Promise<void> {
    return engine.runs.assertExists({ workflowId, runId });
  }

  /** Throws a `NotFoundError` for a run that the workflow does not have. */
  get(workflowId: string, runId: string, { engine }: Reading): Promise<RunRecord> {
    return orNotFound(engine.runs.get({ workflowId, runId }));
  }

  /**
   * As `get`, as the `view` of the query has it; for a long run that is over, the JSON text of the plain record, which is
   * written once and kept for further requests.
   */
  async read(
    workflowId: string,
    runId: string,
    url: string,
    { engine }: Reading,
  ): Promise<RunRecord | JsonBytes> {
    if (recordViewOf(url) === 'full') return orNotFound(engine.runs.full({ workflowId, runId }));
    const record = await orNotFound(engine.runs.encoded({ workflowId, runId }, jsonBytes));
    return record instanceof Uint8Array ? new JsonBytes(record) : record;
  }

  /** As `read`, for a run of whichever workflow. Throws a `NotFoundError`. */
  async readById(runId: string, url: string, context: Reading): Promise<RunRecord | JsonBytes> {
    const { workflowId } = await this.locate(runId, context);
    return this.read(workflowId, runId, url, context);
  }

  /** Where the run is, of whichever workflow it is. Throws a `NotFoundError`. */
  async locate(
    runId: string,
    { engine }: Reading,
  ): Promise<{ readonly workflowId: string; readonly runId: string }> {
    const address = await engine.runs.locate(runId);
    if (address !== null) return { workflowId: address.workflowId, runId };
    const cause = new UnknownRunError(runId);
    throw new NotFoundError(cause.message, { code: cause.code, cause, detail: HOW_TO_FIND });
  }

  async resume(
    workflowId: string,
    runId: string,
    body: BodySource,
    context: RequestContext,
  ): Promise<RunRecord> {
    const { runs } = context.engine;
    await runs.assertExists({ workflowId, runId }, 'run:steer');
    const given = await body();
    const { snapshotId, budget, syncUntil } = this.resumeShape.transform(given, context);
    const unread = unreadFields({ given, known: this.resumeShape.fields, words: RESUME_WORDS }, context);
    const record = await runs.resume({
      workflowId,
      runId,
      snapshotId,
      budget,
      syncUntil,
      ...context.waiting,
      idempotencyKey: checkedIdempotencyKey(context.idempotencyKey),
      by: actorOf(context),
    });
    return withWarnings(record, unread);
  }

  /** Throws a `NotFoundError` for a run that the workflow does not have. */
  async cancel(
    workflowId: string,
    runId: string,
    body: BodySource,
    context: RequestContext,
  ): Promise<RunRecord> {
    const { asked, unread } = await this.stopOf(workflowId, runId, body, context);
    return withWarnings(await orNotFound(context.engine.runs.cancel(asked)), unread);
  }

  /** Throws a `NotFoundError` for a run that the workflow does not have. */
  async pause(
    workflowId: string,
    runId: string,
    body: BodySource,
    context: RequestContext,
  ): Promise<RunRecord> {
    const { asked, unread } = await this.stopOf(workflowId, runId, body, context);
    return withWarnings(await orNotFound(context.engine.runs.pause(asked)), unread);
  }

  /** Throws a `NotFoundError` for a run that the workflow does not have. */
  async compensate(
    workflowId: string,
    runId: string,
    body: BodySource,
    context: RequestContext,
  ): Promise<RunRecord> {
    const { asked, unread } = await this.stopOf(workflowId, runId, body, context);
    return withWarnings(await orNotFound(context.engine.runs.compensate(asked)), unread);
  }

  private async stopOf(workflowId: string, runId: string, body: BodySource, context: RequestContext) {
    await orNotFound(context.engine.runs.assertExists({ workflowId, runId }, 'run:steer'));
    const given = await body();
    const { by } = this.stopShape.transform(given, context);
    const unread = unreadFields({ given, known: this.stopShape.fields, words: STOP_WORDS }, context);
    const idempotencyKey = checkedIdempotencyKey(context.idempotencyKey);
    const asked = { workflowId, runId, ...context.waiting, idempotencyKey, by: actorOf(context, by) };
    return { asked, unread };
  }
}
