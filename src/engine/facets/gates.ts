import type { RunIndex } from '../ports/store/run-index.js';
import type { GateItem, GatePage, ListChange } from '../run-lists.js';
import type { RunRecord } from '../run-record.js';
import type { ListStream, WatchRequest } from '../runtime/watched-lists/list-stream.js';
import { checkWatchedGates, watchedGates } from '../runtime/watched-lists/watched-gates.js';
import type { GateLists } from '../runtime/lists/gate-lists.js';
import type { FamilySteering } from '../runtime/requests/family-steering.js';
import type { OpenGate } from '../runtime/reading/open-gates.js';
import type { RunAddress, RunReader } from '../runtime/reading/run-reader.js';
import type { ListGatesRequest } from '../runtime/run-requests.js';
import type { RespondRequest, RunSteering } from '../runtime/requests/run-steering.js';

export type WatchGatesRequest = ListGatesRequest & WatchRequest;

/** The parts that do what the facet offers. */
export interface GatesParts {
  readonly steering: RunSteering;
  readonly reader: RunReader;
  readonly family: FamilySteering;
  readonly gateLists: GateLists;
  readonly listStream: ListStream;
  readonly options: { readonly store: RunIndex };
}

/** `engine.gates`: passes decisions to the runs that wait for them. */
export class Gates {
  constructor(private readonly parts: GatesParts) {}

  /**
   * The run's gates that wait for a decision, oldest first; none once it is over. Then those of the runs that it waits for.
   * Throws an `UnknownRunError`.
   */
  async open(address: RunAddress): Promise<readonly OpenGate[]> {
    const own = await this.parts.reader.openGates(address);
    const below = await this.parts.family.openGates(address.runId);
    return below.length === 0 ? own : [...own, ...below];
  }

  /** The gates of all runs, newest first. Throws an `InvalidRequestError` for a cursor that is not of this list. */
  list(request: ListGatesRequest = {}): Promise<GatePage> {
    return this.parts.gateLists.list(request);
  }

  /** Watches `list` as `engine.runs.watch` does. */
  watch(request: WatchGatesRequest = {}): AsyncGenerator<ListChange<GateItem>, void, void> {
    const { listStream, gateLists: lists, options } = this.parts;
    const { store } = options;
    return listStream.watch(() => watchedGates(request, { lists, store }), request);
  }

  /** Throws an `InvalidRequestError` where `watch` would. */
  checkWatch(request: ListGatesRequest): void {
    checkWatchedGates(request);
  }

  /** Throws an `UnknownRunError`, a `RunOverError`, an `AmbiguousGateError`, a `GateDecidedError` or an `IdempotencyConflictError`. */
  respond(request: RespondRequest): Promise<RunRecord> {
    return this.parts.steering.respond(request);
  }
}
