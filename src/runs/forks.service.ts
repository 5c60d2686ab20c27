import { Injectable } from '@nestjs/common';
import type { ForkRequest, JsonObject, JsonValue, RunRecord } from '../engine/index.js';
import type { RequestContext, BodySource } from '../http/identity/request-context.js';
import { checkedIdempotencyKey } from '../http/idempotency-key.js';
import { ShapePipe } from '../http/validation/shape.pipe.js';
import { unreadFields, withWarnings } from '../http/validation/unread-fields.js';
import { ForkRunDto } from './dto/fork-run.dto.js';
import { FORK_WORDS } from './dto/unread-words.js';
import { orNotFound } from './or-not-found.js';
import { actorOf } from './actor-of.js';

/** Forks runs. Whether workflow and run exist is checked before the body is read. */
@Injectable()
export class ForksService {
  private readonly shape = new ShapePipe(ForkRunDto);

  /** Throws a `NotFoundError` for a run that the workflow does not have, and for a checkpoint that the run does not have. */
  async fork(
    workflowId: string,
    runId: string,
    body: BodySource,
    context: RequestContext,
  ): Promise<RunRecord> {
    const { runs } = context.engine;
    await orNotFound(runs.assertExists({ workflowId, runId }, 'run:fork'));
    const given = await body();
    const { from, input, state, unitInput, definition, labels, sync, syncUntil } = this.shape.transform(
      given,
      context,
    );
    const unread = unreadFields({ given, known: this.shape.fields, words: FORK_WORDS }, context);
    const request: ForkRequest = {
      workflowId,
      runId,
      // The engine refuses a value that names neither a checkpoint nor a unit, with a message.
      from: from as ForkRequest['from'],
      input: input as JsonObject | undefined,
      state: state as JsonObject | undefined,
      unitInput: unitInput as JsonValue | undefined,
      definition,
      labels: labels as ForkRequest['labels'],
      sync,
      syncUntil,
      ...context.waiting,
      idempotencyKey: checkedIdempotencyKey(context.idempotencyKey),
      by: actorOf(context),
      caller: context.caller,
    };
    return withWarnings(await orNotFound(runs.fork(request)), unread);
  }
}
