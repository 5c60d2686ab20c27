import type { EventBackend, Watching } from '../backend.js';
import { FlowgateApiError } from '../errors/api-error.js';
import type { RunEvent, WatchedEvent } from '../types/events.js';
import type { EngineAccess } from './engine-access.js';
import { notFound } from './not-found.js';

/** What an engine's runs did and do. */
export class InProcessEvents implements EventBackend {
  readonly #access: EngineAccess;

  constructor(access: EngineAccess) {
    this.#access = access;
  }

  page(request: Parameters<EventBackend['page']>[0]) {
    return this.#access.ask('finding', ({ runs }) => runs.events(request));
  }

  async one(request: Parameters<EventBackend['one']>[0]): Promise<RunEvent> {
    const event = await this.#access.ask('finding', ({ runs }) => runs.event(request));
    return event ?? notFound(`The run ${request.runId} has no event ${request.seq} that is told of`);
  }

  async *watchRun(
    request: Parameters<EventBackend['watchRun']>[0],
    { signal }: Watching,
  ): AsyncGenerator<RunEvent, undefined> {
    const { afterSeq } = request;
    if (afterSeq > (await this.#access.ask('finding', ({ runs }) => runs.position(request)))) {
      const error = `The run has no event ${afterSeq} yet: begin behind one that it has, or leave afterSeq out`;
      throw new FlowgateApiError({ status: 400, code: 'invalid-request', error });
    }
    yield* this.#access.each('finding', ({ runs }) => runs.stream({ ...request, signal }));
    return undefined;
  }

  async *watchAll(
    { after }: Parameters<EventBackend['watchAll']>[0],
    { signal }: Watching,
  ): AsyncGenerator<WatchedEvent, undefined> {
    const told = this.#access.each('finding', ({ runs }) => runs.streamAll({ after, signal }));
    for await (const { id, event } of told) yield { type: 'event', id, event };
    return undefined;
  }
}
