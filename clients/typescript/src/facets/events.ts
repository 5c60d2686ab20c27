import type { RunAddress } from '../backend.js';
import { checkRun, checkText } from '../calls/arguments.js';
import type { Asking } from '../calls/asking.js';
import { checkLimit, checkSeq } from '../calls/limits.js';
import { itemsOf } from '../calls/pages.js';
import type { EventOptions, EventsOptions, WatchAllOptions, WatchRunOptions } from '../options/events.js';
import type { EventPage, EventView, RunEvent, WatchedEvent } from '../types/events.js';

/** What runs did and do. */
export class Events {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async page({ workflowId, runId }: RunAddress, options: EventsOptions): Promise<EventPage> {
    checkRun(workflowId, runId);
    const { afterSeq, limit, tail, view } = options;
    checkSeq('afterSeq', afterSeq, 0);
    checkLimit(limit);
    checkLimit(tail, 'tail');
    checkView(view);
    const request = { workflowId, runId, afterSeq, limit, tail, view };
    return this.#asking.call('getEvents', options, ({ events }, signal) => events.page(request, signal));
  }

  each(address: RunAddress, options: EventsOptions): AsyncIterableIterator<RunEvent> {
    // After the last ones there is nothing more, so their page is the only one.
    return itemsOf<RunEvent, number>(
      (afterSeq) => this.page(address, { ...options, afterSeq }),
      options.afterSeq,
    );
  }

  async one({ workflowId, runId }: RunAddress, seq: number, options: EventOptions): Promise<RunEvent> {
    checkRun(workflowId, runId);
    checkSeq('seq', seq ?? null, 1);
    const { view } = options;
    checkView(view);
    const request = { workflowId, runId, seq, view };
    return this.#asking.call('getEvent', options, ({ events }, signal) => events.one(request, signal));
  }

  watchRun({ workflowId, runId }: RunAddress, options: WatchRunOptions): AsyncIterableIterator<RunEvent> {
    checkRun(workflowId, runId);
    const { afterSeq = 0, view } = options;
    checkSeq('afterSeq', afterSeq, 0);
    checkView(view);
    const request = { workflowId, runId, afterSeq, view };
    return this.#asking.watch('watchRun', options, ({ events }, watching) =>
      events.watchRun(request, watching),
    );
  }

  watchAll(options: WatchAllOptions): AsyncIterableIterator<WatchedEvent> {
    const { after } = options;
    if (after !== undefined && !(typeof after === 'string' && /^[\x20-\x7E]{1,1024}$/.test(after))) {
      throw new TypeError('after must be the id of an event of watchAll');
    }
    return this.#asking.watch('watchAll', options, ({ events }, watching) =>
      events.watchAll({ after }, watching),
    );
  }
}

function checkView(view: EventView | undefined): void {
  checkText('view', view);
  if (view !== undefined && view !== 'public' && view !== 'log')
    throw new TypeError('view must be public or log');
}
