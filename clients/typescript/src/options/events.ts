import type { CallOptions } from '../options.js';
import type { EventView } from '../types/events.js';
import type { WatchBounds } from './watches.js';

export interface EventsOptions extends CallOptions {
  /** `next` of the page before, or `seq` of the last event that is known. Default 0: from the start. */
  readonly afterSeq?: number | undefined;
  /** Events on the page, 1 to 1,000. Default 100. */
  readonly limit?: number | undefined;
  /** So many of the last ones, in place of `afterSeq`; 1 to 1,000. */
  readonly tail?: number | undefined;
  /** Default `public`. */
  readonly view?: EventView | undefined;
}

export interface EventOptions extends CallOptions {
  /** Default `public`. */
  readonly view?: EventView | undefined;
}

export interface WatchRunOptions extends WatchBounds {
  /** `seq` of the last event that is known. Default 0: from the start. */
  readonly afterSeq?: number | undefined;
  /** Default `public`. */
  readonly view?: EventView | undefined;
}

export interface WatchAllOptions extends WatchBounds {
  /** `id` of the last event that is known. Default: from now on. */
  readonly after?: string | undefined;
}
