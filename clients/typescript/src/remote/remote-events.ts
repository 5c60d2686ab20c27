import type { EventBackend, RunAddress, Watching } from '../backend.js';
import type { EventPage, RunEvent, WatchedEvent } from '../types/events.js';
import { eventStream } from './event-stream.js';
import type { Exchange } from './exchange.js';
import { isRecord, jsonOf } from './refusal.js';
import type { Query, ServiceAddress } from './service-address.js';

type Answer = Readonly<Record<string, unknown>>;

const isPage = ({ items }: Answer): boolean => Array.isArray(items);
const isEvent = ({ seq, type }: Answer): boolean => typeof seq === 'number' && typeof type === 'string';

/** The events of one run, as pages and as a stream, and those of all runs as a stream. */
export class RemoteEvents implements EventBackend {
  readonly #address: ServiceAddress;
  readonly #exchange: Exchange;

  constructor(address: ServiceAddress, exchange: Exchange) {
    this.#address = address;
    this.#exchange = exchange;
  }

  async page(request: Parameters<EventBackend['page']>[0], signal: AbortSignal): Promise<EventPage> {
    const { workflowId, runId, ...query } = request;
    const url = this.#ofEvents({ workflowId, runId }, [], query);
    return (await this.#exchange.ask({ url, isAnswer: isPage }, signal)) as unknown as EventPage;
  }

  async one(request: Parameters<EventBackend['one']>[0], signal: AbortSignal): Promise<RunEvent> {
    const { seq, view, ...address } = request;
    const url = this.#ofEvents(address, [String(seq)], { view });
    return (await this.#exchange.ask({ url, isAnswer: isEvent }, signal)) as unknown as RunEvent;
  }

  async *watchRun(
    request: Parameters<EventBackend['watchRun']>[0],
    watching: Watching,
  ): AsyncGenerator<RunEvent, undefined> {
    const { afterSeq, view, ...address } = request;
    const url = this.#ofEvents(address, [], { afterSeq, view });
    let told = afterSeq;
    for await (const { data } of eventStream(this.#exchange, { url }, watching)) {
      const event = this.#eventIn(data);
      // Somebody on the way may have taken the header that says where to continue.
      if (event.seq <= told) continue;
      told = event.seq;
      yield event;
    }
    return undefined;
  }

  async *watchAll(
    { after }: Parameters<EventBackend['watchAll']>[0],
    watching: Watching,
  ): AsyncGenerator<WatchedEvent, undefined> {
    const question = { url: this.#address.of(['events']), lastEventId: after };
    for await (const { id = '', event, data } of eventStream(this.#exchange, question, watching)) {
      yield event === 'reset' ? { type: 'reset' } : { type: 'event', id, event: this.#eventIn(data) };
    }
    return undefined;
  }

  #eventIn(data: string): RunEvent {
    const event = jsonOf(data);
    if (!isRecord(event) || !isEvent(event)) throw this.#exchange.strange(200, data);
    return event as unknown as RunEvent;
  }

  #ofEvents({ workflowId, runId }: RunAddress, rest: readonly string[], query: Query): string {
    return this.#address.of(['workflows', workflowId, 'runs', runId, 'events', ...rest], query);
  }
}
