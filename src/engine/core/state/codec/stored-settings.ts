import type { JsonObject, JsonValue } from '../../json.js';
import type { Execution } from '../../waits/execution.js';
import type { Cursor } from '../scope.js';
import type { EncodedState } from './state-codec.js';
import type { Wait } from '../wait.js';

type Change = (settings: JsonObject) => JsonObject;

/** An encoded state with the evaluated settings in it changed: those of open executions, and of those to be repeated. */
export function withSettings(encoded: JsonValue, change: Change): JsonValue {
  const state = encoded as unknown as EncodedState;
  const changed: EncodedState = {
    ...state,
    waits: state.waits.map((wait) => waitWith(wait, change)),
    scopes: state.scopes.map(([id, scope]) => [id, { ...scope, cursor: cursorWith(scope.cursor, change) }]),
  };
  return changed as unknown as JsonValue;
}

function waitWith(wait: Wait, change: Change): Wait {
  if (wait.kind !== 'execution') return wait;
  const { settings } = wait as Execution;
  return settings === null ? wait : ({ ...wait, settings: change(settings) } as Execution);
}

function cursorWith(cursor: Cursor, change: Change): Cursor {
  if (cursor.phase === 'closed') {
    return cursor.failedAt === null ? cursor : { ...cursor, failedAt: cursorWith(cursor.failedAt, change) };
  }
  if (cursor.phase !== 'admitted' && cursor.phase !== 'failed') return cursor;
  const { retry } = cursor;
  if (retry === null || retry.settings === null) return cursor;
  return { ...cursor, retry: { ...retry, settings: change(retry.settings) } };
}
