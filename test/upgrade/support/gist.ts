import type { JsonValue, RunRecord } from '../../../src/engine/index.js';
import type { Gist } from './manifest.ts';

export function gistOf({ runId, status, error, result }: RunRecord): Gist {
  const what = { runId, status, ...(error === undefined ? {} : { error }) };
  if (result === undefined) return what;
  const { completedUnits, tokenUsage, cost } = result;
  return { ...what, completedUnits, state: withoutTimes(result.state), tokenUsage, cost };
}

export function withoutTimes(state: JsonValue): JsonValue {
  const text = JSON.stringify(state, (key, value: JsonValue) => (key === 'decidedAt' ? undefined : value));
  return JSON.parse(text) as JsonValue;
}
