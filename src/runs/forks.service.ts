import { Inject, Injectable } from '@nestjs/common';
import { ENGINE } from '../config/instance.js';
import type { Engine, ForkRequest, JsonObject, JsonValue, RunRecord } from '../engine/index.js';
import type { Arrival, BodySource } from '../http/arrival.js';
import { checkedIdempotencyKey } from '../http/idempotency-key.js';
import { ShapePipe } from '../http/shape.pipe.js';
import { unreadFields, withWarnings } from '../http/unread-fields.js';
import { ForkRunDto } from './dto/fork-run.dto.js';
import { FORK_WORDS } from './dto/unread-words.js';
import { orNotFound } from './or-not-found.js';
import { whoActs } from './who-acts.js';

/** Begins runs where others stood. Whether workflow and run exist is checked before the body is read. */
@Injectable()
export class ForksService {
  private readonly shape = new ShapePipe(ForkRunDto);

  constructor(@Inject(ENGINE) private readonly engine: Engine) {}

  /** Throws a `NotFoundError` for a run that the workflow does not have, and for a checkpoint that is none of the run's. */
  async fork(workflowId: string, runId: string, body: BodySource, arrival: Arrival): Promise<RunRecord> {
    const { runs } = this.engine;
    await orNotFound(runs.assertExists({ workflowId, runId }));
    const given = await body();
    const { from, input, state, unitInput, definition, labels, sync } = this.shape.transform(given, arrival);
    const unread = unreadFields({ given, known: this.shape.fields, words: FORK_WORDS }, arrival);
    const request: ForkRequest = {
      workflowId,
      runId,
      // What names neither a checkpoint nor a unit is refused there, in words.
      from: from as ForkRequest['from'],
      input: input as JsonObject | undefined,
      state: state as JsonObject | undefined,
      unitInput: unitInput as JsonValue | undefined,
      definition,
      labels: labels as ForkRequest['labels'],
      sync,
      ...arrival.waiting,
      idempotencyKey: checkedIdempotencyKey(arrival.idempotencyKey),
      by: whoActs(arrival),
      caller: arrival.caller,
    };
    return withWarnings(await orNotFound(runs.fork(request)), unread);
  }
}
