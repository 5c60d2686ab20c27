import type { Backend, RunAddress } from '../backend.js';
import { newIdempotencyKey } from '../calls/idempotency-key.js';
import { jsonText } from '../calls/json-text.js';
import type { StartedOrRefused } from '../types/batches.js';
import type { Health, MemorySearch, MessagePage, RunRecord } from '../types/records.js';
import { startedOrRefused } from './client-words.js';
import { Exchange, type ExchangeOptions } from './exchange.js';
import { RemoteAccess } from './remote-access.js';
import { RemoteEvents } from './remote-events.js';
import { RemoteLists } from './remote-lists.js';
import { RemoteSnapshots } from './remote-snapshots.js';
import { RemoteTransfer } from './remote-transfer.js';
import { RemoteVersions } from './remote-versions.js';
import type { ServiceAddress } from './service-address.js';

type Answer = Readonly<Record<string, unknown>>;

/** Asks a service over HTTP (interface, section 4). */
export class RemoteBackend implements Backend {
  readonly lists: RemoteLists;
  readonly events: RemoteEvents;
  readonly snapshots: RemoteSnapshots;
  readonly transfer: RemoteTransfer;
  readonly versions: RemoteVersions;
  readonly access: RemoteAccess;
  readonly #address: ServiceAddress;
  readonly #exchange: Exchange;

  constructor(address: ServiceAddress, options: Omit<ExchangeOptions, 'address'>) {
    this.#address = address;
    const exchange = new Exchange({ ...options, address: address.toString() });
    this.#exchange = exchange;
    this.lists = new RemoteLists(address, exchange);
    this.events = new RemoteEvents(address, exchange);
    this.snapshots = new RemoteSnapshots(address, exchange);
    this.transfer = new RemoteTransfer(address, exchange);
    this.versions = new RemoteVersions(address, exchange);
    this.access = new RemoteAccess(address, exchange);
  }

  async register({ yaml, bindings }: Parameters<Backend['register']>[0], signal: AbortSignal) {
    const url = this.#address.of(['workflows', 'from-yaml']);
    const isAnswer = ({ workflowId }: Answer): boolean => typeof workflowId === 'string';
    const body = jsonText({ yaml, bindings }, 'bindings');
    const { workflowId } = await this.#exchange.ask({ url, body, isAnswer }, signal);
    return { workflowId: workflowId as string };
  }

  start(request: Parameters<Backend['start']>[0], signal: AbortSignal) {
    const { workflowId, input, labels, sync, syncUntil, idempotencyKey } = request;
    const url = this.#address.of(['workflows', workflowId, 'runs']);
    const body = jsonText({ input, labels, sync, syncUntil }, 'input');
    return this.#record({ url, body, ...keyed(idempotencyKey) }, signal);
  }

  async startBatch(request: Parameters<Backend['startBatch']>[0], signal: AbortSignal) {
    const url = this.#address.of(['workflows', request.workflowId, 'runs', 'batch']);
    const sent = request.runs.map((start) => ({ ...start, ...keyed(start.idempotencyKey) }));
    const body = jsonText({ runs: sent }, 'runs');
    const isAnswer = ({ runs }: Answer): boolean => Array.isArray(runs) && runs.length === sent.length;
    const { runs } = await this.#exchange.ask({ url, body, isAnswer }, signal);
    return (runs as readonly StartedOrRefused[]).map(startedOrRefused);
  }

  fork(request: Parameters<Backend['fork']>[0], signal: AbortSignal) {
    const { workflowId, runId, idempotencyKey, ...edits } = request;
    const body = jsonText(edits, 'The fork');
    const url = this.#ofRun({ workflowId, runId }, 'fork');
    return this.#record({ url, body, ...keyed(idempotencyKey) }, signal);
  }

  get({ view, ...address }: Parameters<Backend['get']>[0], signal: AbortSignal) {
    const url = this.#ofRun(address);
    return this.#record({ url: view === 'full' ? `${url}?view=full` : url }, signal);
  }

  getById({ runId, view }: Parameters<Backend['getById']>[0], signal: AbortSignal) {
    return this.#record({ url: this.#address.of(['runs', runId], { view }) }, signal);
  }

  resume(request: Parameters<Backend['resume']>[0], signal: AbortSignal) {
    const { snapshotId, budget, syncUntil, idempotencyKey, ...run } = request;
    const body = JSON.stringify({ snapshotId, budget, syncUntil });
    return this.#record({ url: this.#ofRun(run, 'resume'), body, ...keyed(idempotencyKey) }, signal);
  }

  cancel({ by, idempotencyKey, ...run }: Parameters<Backend['cancel']>[0], signal: AbortSignal) {
    const body = JSON.stringify({ by });
    return this.#record({ url: this.#ofRun(run, 'cancel'), body, ...keyed(idempotencyKey) }, signal);
  }

  pause({ by, idempotencyKey, ...run }: Parameters<Backend['pause']>[0], signal: AbortSignal) {
    const body = JSON.stringify({ by });
    return this.#record({ url: this.#ofRun(run, 'pause'), body, ...keyed(idempotencyKey) }, signal);
  }

  compensate({ by, idempotencyKey, ...run }: Parameters<Backend['compensate']>[0], signal: AbortSignal) {
    const body = JSON.stringify({ by });
    return this.#record({ url: this.#ofRun(run, 'compensate'), body, ...keyed(idempotencyKey) }, signal);
  }

  respond(request: Parameters<Backend['respond']>[0], signal: AbortSignal) {
    const { workflowId, runId, idempotencyKey, ...decision } = request;
    const url = this.#ofRun({ workflowId, runId }, 'hitl');
    const body = JSON.stringify(decision);
    return this.#record({ url, body, ...keyed(idempotencyKey) }, signal);
  }

  async messages(request: Parameters<Backend['messages']>[0], signal: AbortSignal): Promise<MessagePage> {
    const { workflowId, runId, after, limit } = request;
    const query = { cursor: after, limit: limit === undefined ? undefined : String(limit) };
    const url = this.#address.of(['workflows', workflowId, 'runs', runId, 'messages'], query);
    const isAnswer = ({ messages }: Answer): boolean => Array.isArray(messages);
    return (await this.#exchange.ask({ url, isAnswer }, signal)) as unknown as MessagePage;
  }

  async search({ query, topK }: Parameters<Backend['search']>[0], signal: AbortSignal) {
    const url = this.#address.of(['memory', 'search'], { q: query, topK: String(topK) });
    const isAnswer = ({ results }: Answer): boolean => Array.isArray(results);
    return (await this.#exchange.ask({ url, isAnswer }, signal)) as unknown as MemorySearch;
  }

  /** A service that shuts down answers 503, and says so in the same form. */
  async health(signal: AbortSignal): Promise<Health> {
    const url = this.#address.of(['health']);
    const isAnswer = ({ ok }: Answer): boolean => typeof ok === 'boolean';
    const health = await this.#exchange.ask({ url, isAnswer, alsoAnswers: [503] }, signal);
    return health as unknown as Health;
  }

  registerUnit(uses: string): void {
    throw new TypeError(
      `${uses} cannot be registered at a service: bind it to an endpoint by the bindings of loadAndRegister, or leave ` +
        'baseUrl out to run in process',
    );
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  silence(timeoutMs: number): string {
    return this.#exchange.silence(timeoutMs, 'timeoutMs').message;
  }

  async #record(
    question: { readonly url: string; readonly body?: string; readonly idempotencyKey?: string },
    signal: AbortSignal,
  ): Promise<RunRecord> {
    const isAnswer = ({ runId, status }: Answer): boolean =>
      typeof runId === 'string' && typeof status === 'string';
    return (await this.#exchange.ask({ ...question, isAnswer }, signal)) as unknown as RunRecord;
  }

  #ofRun({ workflowId, runId }: RunAddress, ...rest: readonly string[]): string {
    return this.#address.of(['workflows', workflowId, 'runs', runId, ...rest]);
  }
}

/** One for the whole call, so that the service carries it out once however often it is tried. */
function keyed(given: string | undefined): { readonly idempotencyKey: string } {
  return { idempotencyKey: given ?? newIdempotencyKey() };
}
