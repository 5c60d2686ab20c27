import type { JsonValue } from './json.js';

/** One line of a run's readable history; `type` says which. */
export type RunMessage =
  | Message<
      'unit-output',
      { readonly sourceUnitId: string; readonly data: JsonValue; readonly attempt: number }
    >
  | Message<'unit-skipped', { readonly unitId: string }>
  | Message<
      'unit-retry',
      { readonly unitId: string; readonly attempt: number; readonly error: string; readonly delayMs: number }
    >
  | Message<'unit-failed', { readonly unitId: string; readonly attempt: number; readonly error: string }>
  | Message<
      'hitl-request',
      {
        readonly unitId: string;
        /** What `gateId` of a decision names. */
        readonly gateId: number;
        readonly action: string;
        readonly payload: JsonValue;
      }
    >
  | Message<
      'hitl-response',
      {
        readonly gateId: number;
        readonly approved: boolean;
        /** As the decision named them. */
        readonly responder: string;
        /** How the decision came; `unknown` where that was not recorded yet. */
        readonly via: 'http' | 'mcp' | 'in-process' | 'engine' | 'unknown';
      }
    >
  | Message<'checkpoint', { readonly runId: string; readonly snapshotId: string }>
  | Message<
      'delegation',
      { readonly sourceUnitId: string; readonly targetUnitId: string; readonly task: JsonValue }
    >
  | Message<'state-update', { readonly key: string }>
  | Message<'cost-update', { readonly unitId: string; readonly tokens: number; readonly cost: number }>
  | Message<'policy-violation', { readonly unitId: string; readonly violation: string }>
  | Message<'run-paused', { readonly reason: PauseReason; readonly unitId: string; readonly error: string }>
  | Message<'rewound', { readonly snapshotId: string }>
  | Message<'run-failed', { readonly error: string }>;

type Message<Type extends string, Fields> = {
  readonly type: Type;
  /** Epoch ms. */
  readonly timestamp: number;
} & Fields;

/** `before` and `after` are the author's; the others the service's, and `error` says what to do. */
export type PauseReason = 'before' | 'after' | 'recovery-limit' | 'undecided' | 'limit' | 'crash-limit';
