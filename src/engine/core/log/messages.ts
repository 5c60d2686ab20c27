import type { RunEvent } from './event.js';
import { isCheckpoint, snapshotId } from './checkpoint.js';
import type { JsonObject, JsonValue } from '../json.js';

/** One line of a run's readable history (wire contract, "The run's messages and figures"). */
export type RunMessage = { readonly timestamp: number } & (
  | {
      readonly type: 'unit-output';
      readonly sourceUnitId: string;
      readonly data: JsonValue;
      readonly attempt: number;
    }
  | { readonly type: 'unit-skipped'; readonly unitId: string }
  | {
      readonly type: 'unit-retry';
      readonly unitId: string;
      readonly attempt: number;
      readonly error: string;
      readonly delayMs: number;
    }
  | {
      readonly type: 'hitl-request';
      readonly unitId: string;
      readonly gateId: number;
      readonly action: string;
      readonly payload: JsonValue;
    }
  | {
      readonly type: 'hitl-response';
      readonly gateId: number;
      readonly approved: boolean;
      readonly responder: string;
    }
  | { readonly type: 'checkpoint'; readonly runId: string; readonly snapshotId: string }
  | {
      readonly type: 'delegation';
      readonly sourceUnitId: string;
      readonly targetUnitId: string;
      readonly task: JsonValue;
    }
  | { readonly type: 'state-update'; readonly key: string }
  | { readonly type: 'cost-update'; readonly unitId: string; readonly tokens: number; readonly cost: number }
  | { readonly type: 'policy-violation'; readonly unitId: string; readonly violation: string }
  | { readonly type: 'rewound'; readonly snapshotId: string }
);

/** Outputs above this many characters of JSON are shown as a reference to the state key. */
const MAX_DATA_CHARS = 4_096;

/** What one event says to a reader; most say one thing, some nothing. */
export function messagesOf(runId: string, event: RunEvent): readonly RunMessage[] {
  const messages = told(event);
  if (isCheckpoint(event)) {
    messages.push({
      type: 'checkpoint',
      timestamp: event.at,
      runId,
      snapshotId: snapshotId(runId, event.seq),
    });
  }
  return messages;

  function told(from: RunEvent): RunMessage[] {
    const timestamp = from.at;
    switch (from.type) {
      case 'unit-finished':
        return finished(from);
      case 'unit-skipped':
        return [{ type: 'unit-skipped', timestamp, unitId: from.unitId }];
      case 'state-written':
        return Object.keys(from.values).map((key) => ({ type: 'state-update', timestamp, key }));
      case 'unit-attempt-failed': {
        const { unitId, attempt, error, retryAt } = from;
        return [{ type: 'unit-retry', timestamp, unitId, attempt, error, delayMs: retryAt - timestamp }];
      }
      case 'gate-opened': {
        const { unitId, title: action, payload } = from;
        return [{ type: 'hitl-request', timestamp, unitId, gateId: from.seq, action, payload }];
      }
      case 'gate-decided': {
        const { gateId, approved, responder } = from;
        return [{ type: 'hitl-response', timestamp, gateId, approved, responder }];
      }
      case 'branch-chosen':
        if (from.source === null) return [];
        return [
          {
            type: 'delegation',
            timestamp,
            sourceUnitId: from.source,
            targetUnitId: from.branch,
            task: from.task,
          },
        ];
      case 'rewound':
        return [{ type: 'rewound', timestamp, snapshotId: snapshotId(runId, from.toSeq) }];
      default:
        return [];
    }
  }
}

function finished(event: RunEvent & { readonly type: 'unit-finished' }): RunMessage[] {
  const { at: timestamp, unitId, attempt } = event;
  const data = shortened(event.output, `output.${unitId}`);
  const messages: RunMessage[] = [{ type: 'unit-output', timestamp, sourceUnitId: unitId, data, attempt }];
  for (const key of Object.keys(event.patch ?? {})) messages.push({ type: 'state-update', timestamp, key });
  if (event.usage !== null) {
    const { tokens, cost } = event.usage;
    messages.push({ type: 'cost-update', timestamp, unitId, tokens, cost });
  }
  return messages;
}

/** The value itself, or `{ ref, chars }`: where in the state it stands and how long it is as JSON. */
function shortened(value: JsonValue, ref: string): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  const chars = JSON.stringify(value).length;
  return chars <= MAX_DATA_CHARS ? value : ({ ref, chars } satisfies JsonObject);
}
