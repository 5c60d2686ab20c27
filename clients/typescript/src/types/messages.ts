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
  | Message<
      'timer-set',
      {
        readonly unitId: string;
        /** Epoch ms. */
        readonly dueAt: number;
      }
    >
  | Message<
      'child-started',
      { readonly unitId: string; readonly childRunId: string; readonly workflowId: string }
    >
  | Message<'child-paused', { readonly unitId: string; readonly childRunId: string }>
  | Message<
      'child-ended',
      {
        readonly unitId: string;
        readonly childRunId: string;
        readonly status: 'completed' | 'failed' | 'cancelled';
      }
    >
  | Message<'run-paused', { readonly reason: PauseReason; readonly unitId: string; readonly error: string }>
  | Message<'rewound', { readonly snapshotId: string }>
  | Message<'run-failed', { readonly error: string }>
  /** `by`: who requested it. What is in flight comes to its end, and the clean-up runs. */
  | Message<'cancel-requested', { readonly by: string }>
  | Message<'run-cancelled', { readonly by: string }>;

type Message<Type extends string, Fields> = {
  readonly type: Type;
  /** Epoch ms. */
  readonly timestamp: number;
  /** The item of the pass of a foreach with `itemKey` that it is about, and its place; absent: it is about none. */
  readonly index?: number;
  readonly itemKey?: string;
  /** Who did it is said by the log of a run that was imported, and nobody here knows. */
  readonly claimed?: true;
} & Fields;

/** `before` and `after` are the author's, `requested` is somebody's; the others the service's, and `error` says what to do. */
export type PauseReason =
  'before' | 'after' | 'requested' | 'budget' | 'recovery-limit' | 'undecided' | 'limit' | 'crash-limit';
