import type { JsonObject, JsonValue, RunRecord } from '../../../src/engine/index.js';
import type { StoredEvent } from '../../../src/engine/ports/store/append.js';
import type { StoredDefinition } from '../../../src/engine/ports/store/definition-store.js';

/** What somebody outside does to a run; `at` counts from its start, in ms. */
export type Step = { readonly at: number } & (
  | {
      readonly do: 'approve';
      readonly unitId: string;
      readonly approved?: boolean;
      readonly comment?: string;
    }
  /** `child`: the run of that workflow that it waits for, or waited for. */
  | {
      readonly do: 'resume';
      readonly child?: string;
      readonly budget?: { readonly maxTokens?: number; readonly maxCost?: number };
    }
  /** Back to the checkpoint of that number, from 0. */
  | { readonly do: 'rewind'; readonly checkpoint: number }
  | { readonly do: 'cancel'; readonly key?: string }
  | { readonly do: 'pause' }
  | { readonly do: 'compensate'; readonly key?: string }
  /** From that checkpoint, from 0, or just before that unit; from the start without either. */
  | {
      readonly do: 'fork';
      readonly checkpoint?: number;
      readonly unitId?: string;
      readonly state?: JsonObject;
      readonly unitInput?: JsonValue;
      readonly key?: string;
    }
  /** As it is then, under another id. */
  | { readonly do: 'import'; readonly as: string }
  /** The process dies, and another one opens the store. */
  | { readonly do: 'die' }
);

/** The step, and how many appends there were before it, and when it was answered. */
export type TakenStep = Step & { readonly afterAppends: number; readonly answeredAfter: number };

/** How one run of a history ended. */
export interface End {
  readonly record: RunRecord;
  /** Also of runs whose record does not show them. */
  readonly state: JsonObject;
  readonly completedUnits: readonly string[];
}

/** A run, and those that it started, as a version left them in the store: a file of `test/fixtures/histories`. */
export interface History {
  readonly name: string;
  /** The documents and the plans, as they were stored. */
  readonly definitions: readonly StoredDefinition[];
  /** The id of the run, whose start is the first append. */
  readonly runId: string;
  /** Every append in the store's order, its events in the versions of that time. */
  readonly appends: readonly { readonly runId: string; readonly events: readonly StoredEvent[] }[];
  readonly steps: readonly TakenStep[];
  /** When it was over, in ms from the start. */
  readonly lasts: number;
  /** By run id. */
  readonly ends: Readonly<Record<string, End>>;
  /**
   * What followed where a power cut left only so many appends, and where that is something else than what followed then: what
   * was being called at the cut is called again, or not any more, and notifications that were on their way come in another
   * order.
   */
  readonly otherwiseAfter: Readonly<Record<number, Played>>;
}

/** How runs continued after a cut, by run id. */
export interface Played {
  readonly ends: Readonly<Record<string, End>>;
  readonly followed: Readonly<Record<string, readonly StoredEvent[]>>;
}
