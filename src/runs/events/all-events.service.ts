import { Injectable, type StreamableFile } from '@nestjs/common';
import type { ActingEngine } from '../../engine/index.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import type { EdgeResponse } from '../../http/edge-response.js';
import { EventStreams } from '../../http/event-stream/event-streams.js';
import type { Frame } from '../../http/event-stream/frames.js';
import type { RequestContext } from '../../http/identity/request-context.js';
import { lastEventId, refuseHead, wantsStream } from '../../http/event-stream/negotiation.js';

/** The events of all runs that the request may be told of, as they happen. */
@Injectable()
export class AllEventsService {
  constructor(private readonly streams: EventStreams) {}

  async stream(
    request: EdgeRequest,
    response: EdgeResponse,
    { engine }: Pick<RequestContext, 'engine'>,
  ): Promise<StreamableFile> {
    refuseHead(request);
    if (!wantsStream(request)) {
      throw new InvalidRequestError(
        'This is a stream of events: send Accept: text/event-stream; of one run there are pages as well, at …/runs/:runId/events',
      );
    }
    this.streams.assertCapacity(response);
    const seen = lastEventId(request);
    const isKnown = seen !== null && (await engine.runs.knowsEvent(seen));
    const after = isKnown ? seen : await engine.runs.latestEvent();
    const isReset = seen !== null && !isKnown;
    return this.streams.answer(response, (signal) => this.frames({ engine, after, isReset, signal }));
  }

  /**
   * The first frame names the starting position, so a client that is disconnected before the first event misses
   * nothing either.
   */
  private async *frames(from: {
    readonly engine: ActingEngine;
    readonly after: string;
    readonly isReset: boolean;
    readonly signal: AbortSignal;
  }): AsyncGenerator<readonly Frame[], void, void> {
    const { engine, after, isReset, signal } = from;
    yield [isReset ? { id: after, event: 'reset', data: {} } : { id: after }];
    for await (const page of engine.runs.streamAllPages({ after, signal })) {
      yield page.map(({ id, event }) => ({ id, event: event.type, data: event, about: event }));
    }
  }
}
