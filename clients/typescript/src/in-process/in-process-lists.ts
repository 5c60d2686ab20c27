import type { ListBackend, Watching } from '../backend.js';
import type { GatesRequest, RunsRequest } from '../list-requests.js';
import type { GateItem, ListChange, RunItem } from '../types/lists.js';
import type { EngineAccess } from './engine-access.js';

/** Lists of an engine's runs and gates. */
export class InProcessLists implements ListBackend {
  readonly #access: EngineAccess;

  constructor(access: EngineAccess) {
    this.#access = access;
  }

  runs(request: RunsRequest) {
    return this.#access.ask('finding', ({ runs }) => runs.list(request));
  }

  gates(request: GatesRequest) {
    return this.#access.ask('finding', ({ gates }) => gates.list(request));
  }

  watchRuns(request: RunsRequest, { signal }: Watching): AsyncIterable<ListChange<RunItem>> {
    return this.#access.each('finding', ({ runs }) => runs.watch({ ...request, signal }));
  }

  watchGates(request: GatesRequest, { signal }: Watching): AsyncIterable<ListChange<GateItem>> {
    return this.#access.each('finding', ({ gates }) => gates.watch({ ...request, signal }));
  }
}
