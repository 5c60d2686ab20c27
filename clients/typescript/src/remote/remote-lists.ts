import type { ListBackend, Watching } from '../backend.js';
import type { GatesRequest, RunsRequest } from '../list-requests.js';
import type { GateItem, GatePage, ListChange, Page, RunItem } from '../types/lists.js';
import { eventStream } from './event-stream.js';
import type { Exchange } from './exchange.js';
import { isRecord, jsonOf } from './refusal.js';
import type { Query, ServiceAddress } from './service-address.js';

type Answer = Readonly<Record<string, unknown>>;

const isPage = ({ items, next }: Answer): boolean =>
  Array.isArray(items) && (next === null || typeof next === 'string');

/** `GET /runs` and `GET /gates`, as pages and as streams. */
export class RemoteLists implements ListBackend {
  readonly #address: ServiceAddress;
  readonly #exchange: Exchange;

  constructor(address: ServiceAddress, exchange: Exchange) {
    this.#address = address;
    this.#exchange = exchange;
  }

  async runs(request: RunsRequest, signal: AbortSignal): Promise<Page<RunItem>> {
    const url = this.#address.of(['runs'], runsQuery(request));
    return (await this.#exchange.ask({ url, isAnswer: isPage }, signal)) as unknown as Page<RunItem>;
  }

  async gates(request: GatesRequest, signal: AbortSignal): Promise<GatePage> {
    const url = this.#address.of(['gates'], { ...request });
    return (await this.#exchange.ask({ url, isAnswer: isPage }, signal)) as unknown as GatePage;
  }

  watchRuns(request: RunsRequest, watching: Watching): AsyncIterable<ListChange<RunItem>> {
    return this.#changes<RunItem>(this.#address.of(['runs'], runsQuery(request)), watching);
  }

  watchGates(request: GatesRequest, watching: Watching): AsyncIterable<ListChange<GateItem>> {
    return this.#changes<GateItem>(this.#address.of(['gates'], { ...request }), watching);
  }

  async *#changes<Item>(url: string, watching: Watching): AsyncGenerator<ListChange<Item>, undefined> {
    for await (const { event, data } of eventStream(this.#exchange, { url }, watching)) {
      const said = jsonOf(data);
      if (!isRecord(said)) throw this.#exchange.strange(200, data);
      const change = changeOf<Item>(event, said);
      if (change !== null) yield change;
    }
    return undefined;
  }
}

/** Null: a frame of a newer service. */
function changeOf<Item>(event: string, said: Answer): ListChange<Item> | null {
  switch (event) {
    case 'snapshot':
    case 'remove':
      return { ...said, type: event } as ListChange<Item>;
    case 'upsert':
      return { type: event, item: said as Item };
    default:
      return null;
  }
}

function runsQuery({ status, labels = {}, idPrefix, ...others }: RunsRequest): Query {
  return {
    ...others,
    status: status?.join(','),
    label: Object.entries(labels).map(([name, value]) => `${name}:${value}`),
    id: idPrefix,
  };
}
