import { Injectable, type StreamableFile } from '@nestjs/common';
import type { ActingEngine, EventView, PublicEvent, PublicEventPage } from '../../engine/index.js';
import { InvalidRequestError, NotFoundError } from '../../errors/request-errors.js';
import type { EdgeRequest } from '../../http/edge-request.js';
import type { EdgeResponse } from '../../http/edge-response.js';
import { EventStreams } from '../../http/event-stream/event-streams.js';
import type { Frame } from '../../http/event-stream/frames.js';
import { lastEventId, refuseHead } from '../../http/event-stream/negotiation.js';
import type { RequestContext } from '../../http/identity/request-context.js';
import { Query } from '../../http/query/query.js';
import { EVENT_VIEW, namesOf } from '../../openapi/parameters.js';
import { eventQueryOf, seqFrom, streamQueryOf, viewOf } from './event-query.js';
import { orNotFound } from '../or-not-found.js';

interface Address {
  readonly workflowId: string;
  readonly runId: string;
}

/** What reading a run takes of its request. */
type Reading = Pick<RequestContext, 'engine'>;

/** The events of a run, in pages or as they happen. */
@Injectable()
export class RunEventsService {
  constructor(private readonly streams: EventStreams) {}

  async page(address: Address, { url }: EdgeRequest, { engine }: Reading): Promise<PublicEventPage> {
    await orNotFound(engine.runs.assertExists(address));
    return orNotFound(engine.runs.events({ ...address, ...eventQueryOf(new Query(url)) }));
  }

  /** Throws a `NotFoundError` if there is no public event of that seq. */
  async one(
    address: Address,
    given: string,
    { url }: EdgeRequest,
    { engine }: Reading,
  ): Promise<PublicEvent> {
    await orNotFound(engine.runs.assertExists(address));
    const query = new Query(url);
    query.expectOnly(namesOf([EVENT_VIEW]));
    const view = viewOf(query);
    const seq = seqFrom(given) ?? 0;
    const event = seq === 0 ? null : await orNotFound(engine.runs.event({ ...address, seq, view }));
    if (event !== null) return event;
    throw new NotFoundError(`The run ${address.runId} has no event ${given.slice(0, 100)} that is told`);
  }

  /** Undefined: the client has reconnected, and nothing is left. */
  async stream(
    address: Address,
    request: EdgeRequest,
    response: EdgeResponse,
    { engine }: Reading,
  ): Promise<StreamableFile | undefined> {
    refuseHead(request);
    this.streams.assertCapacity(response);
    const lastSeq = await orNotFound(engine.runs.position(address));
    const { afterSeq: asked = 0, view } = streamQueryOf(new Query(request.url));
    const seen = lastEventId(request);
    const afterSeq = seen === null ? asked : seqSeen(seen);
    if (afterSeq > lastSeq) {
      throw new InvalidRequestError(
        `The run has no event ${afterSeq} yet: begin behind one that it has, or leave Last-Event-ID and afterSeq out`,
      );
    }
    if (afterSeq > 0 && (await this.isOver(engine, { ...address, afterSeq, view }))) {
      return this.streams.nothingLeft(response);
    }
    return this.streams.answer(
      response,
      (signal) => this.frames(engine, { ...address, afterSeq, view, signal }),
      address,
    );
  }

  /** Whether the run is over and no event is left. */
  private async isOver(
    engine: ActingEngine,
    from: Address & { readonly afterSeq: number; readonly view: EventView },
  ): Promise<boolean> {
    const status = await orNotFound(engine.runs.status(from));
    if (status !== 'completed' && status !== 'failed') return false;
    for (let afterSeq: number | null = from.afterSeq; afterSeq !== null;) {
      const page: PublicEventPage = await orNotFound(engine.runs.events({ ...from, afterSeq, limit: 1 }));
      if (page.items.length > 0) return false;
      afterSeq = page.next;
    }
    return true;
  }

  private async *frames(
    engine: ActingEngine,
    from: Address & { readonly afterSeq: number; readonly view: EventView; readonly signal: AbortSignal },
  ): AsyncGenerator<readonly Frame[], void, void> {
    const events = engine.runs.streamPages(from);
    try {
      for (let next = await events.next(); ; next = await events.next()) {
        if (next.done !== true) {
          yield next.value.map((event) => ({
            id: String(event.seq),
            event: event.type,
            data: event,
            about: event,
          }));
          continue;
        }
        if (next.value !== null) yield [{ event: 'end', data: { status: next.value } }];
        return;
      }
    } finally {
      await events.return(null);
    }
  }
}

function seqSeen(id: string): number {
  const seq = seqFrom(id);
  if (seq !== null) return seq;
  throw new InvalidRequestError('Last-Event-ID must be the id of an event of this stream: a whole number');
}
