import type { JsonObject, JsonValue, RunRecord } from '../../../engine/index.js';
import { isLongerThan } from '../../../http/long-responses/json-length.js';
import { isLong } from '../../../http/long-responses/long-response.js';

/** Limits for the parts of a long record: an agent reads all of it, and it is written in one piece. */
const MAX_STATE_CHARS = 65_536;
const MAX_VALUE_CHARS = 16_384;
const MAX_MESSAGES = 50;
const MAX_MESSAGES_CHARS = 65_536;
const MAX_COMPLETED_UNITS = 1_000;
const MAX_NAMED_KEYS = 100;
const MAX_KEY_CHARS = 200;

/** What was left out of a record. */
export interface Omitted {
  /** The keys of the state that were left out; the first 100. */
  readonly state: readonly string[];
  readonly messages: number;
  readonly completedUnits: number;
  /** The path of the whole record, over HTTP. */
  readonly path: string;
}

export type SummarisedRecord = RunRecord & { readonly omitted?: Omitted };

/**
 * A short record is returned as it is, as nearly all are. A long one is summarised to what can be written in one
 * piece, and names what is left out (decision 0068).
 */
export function summarisedRecord(record: RunRecord): SummarisedRecord {
  const { result, workflowId, runId } = record;
  if (result === undefined || !isLong(record)) return record;
  const { state, left } = summarisedState(result.state);
  const messages = lastThatFit(result.messages);
  const completedUnits = result.completedUnits.slice(-MAX_COMPLETED_UNITS);
  return {
    ...record,
    result: { ...result, state, messages, completedUnits },
    omitted: {
      state: left,
      messages: result.messages.length - messages.length,
      completedUnits: result.completedUnits.length - completedUnits.length,
      path: `/workflows/${encodeURIComponent(workflowId)}/runs/${runId}`,
    },
  };
}

function summarisedState(whole: JsonObject): {
  readonly state: JsonObject;
  readonly left: readonly string[];
} {
  const state: Record<string, JsonValue> = {};
  const left: string[] = [];
  let chars = 0;
  for (const [key, value] of Object.entries(whole)) {
    const fits =
      chars < MAX_STATE_CHARS && key.length <= MAX_KEY_CHARS && !isLongerThan(value, MAX_VALUE_CHARS);
    if (fits) {
      state[key] = value;
      chars += key.length + JSON.stringify(value).length;
    } else if (left.length < MAX_NAMED_KEYS) left.push(key.slice(0, MAX_KEY_CHARS));
  }
  return { state, left };
}

function lastThatFit<T>(all: readonly T[]): readonly T[] {
  let chars = 0;
  let first = all.length;
  while (first > 0 && all.length - first < MAX_MESSAGES) {
    const one = all[first - 1];
    if (isLongerThan(one, MAX_VALUE_CHARS)) break;
    chars += JSON.stringify(one).length;
    if (chars > MAX_MESSAGES_CHARS) break;
    first -= 1;
  }
  return all.slice(first);
}
