import { Asking } from '../calls/asking.js';
import { gatesRequest, runsRequest } from '../calls/filters.js';
import { itemsOf } from '../calls/pages.js';
import type {
  ListGatesOptions,
  ListRunsOptions,
  WatchGatesOptions,
  WatchRunsOptions,
} from '../options/lists.js';
import type { GateItem, GatePage, ListChange, Page, RunItem } from '../types/lists.js';

/** Lists of runs and of gates. */
export class Lists {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async runs(options: ListRunsOptions): Promise<Page<RunItem>> {
    const request = runsRequest(options);
    return this.#asking.call('listRuns', options, ({ lists }, signal) => lists.runs(request, signal));
  }

  eachRun(options: ListRunsOptions): AsyncIterableIterator<RunItem> {
    return itemsOf((cursor) => this.runs({ ...options, cursor }), options.cursor);
  }

  watchRuns(options: WatchRunsOptions): AsyncIterableIterator<ListChange<RunItem>> {
    const request = runsRequest(options);
    return this.#asking.watch('watchRuns', options, ({ lists }, watching) =>
      lists.watchRuns(request, watching),
    );
  }

  async gates(options: ListGatesOptions): Promise<GatePage> {
    const request = gatesRequest(options);
    return this.#asking.call('listGates', options, ({ lists }, signal) => lists.gates(request, signal));
  }

  eachGate(options: ListGatesOptions): AsyncIterableIterator<GateItem> {
    return itemsOf((cursor) => this.gates({ ...options, cursor }), options.cursor);
  }

  watchGates(options: WatchGatesOptions): AsyncIterableIterator<ListChange<GateItem>> {
    const request = gatesRequest(options);
    return this.#asking.watch('watchGates', options, ({ lists }, watching) =>
      lists.watchGates(request, watching),
    );
  }
}
