import { Declarations } from '../discovery/declarations.js';
import type { RunMoment, RunRecord } from '../engine/index.js';

/** What a hook is called with. */
export interface RunEvent {
  readonly type: RunMoment;
  readonly workflowId: string;
  readonly runId: string;
  /** `default` unless the run was started in another. */
  readonly namespace: string;
  /** Epoch ms: when it happened. */
  readonly at: number;
  /** The run as it stands when the hook is called: one that paused may have been resumed meanwhile. */
  readonly record: RunRecord;
}

export interface OnRunEventOptions {
  /** Only runs of that workflow. Default: of all. */
  readonly workflow?: string;
  /** The `name` of the FlowgateModule whose runs they are. Default: the one without a name. */
  readonly instance?: string;
}

export interface HookDeclaration extends OnRunEventOptions {
  readonly type: RunMoment;
}

export type HookMethod = (event: RunEvent) => unknown;

export type HookDecorator = <T extends HookMethod>(
  prototype: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<T>,
) => void;

export const HOOK_DECLARATIONS = new Declarations<HookDeclaration>('flowgate:on-run-event');

/**
 * Has a provider's method called when a run of this process starts, pauses (it waits for a person), completes or fails
 * (also where it was cancelled: then `record.error` says by whom): after that is durable, at most once, and not at all where the process ends before. It does not hold the run up, and what
 * it throws is logged and nothing else. Four calls of a hook run at once, 1,000 more wait; what comes beyond is left out,
 * which is logged.
 */
export function OnRunEvent(type: RunMoment, options: OnRunEventOptions = {}): HookDecorator {
  const declaration: HookDeclaration = Object.freeze({ ...options, type });
  return (prototype, name, descriptor) =>
    HOOK_DECLARATIONS.onMethod(prototype, name, descriptor, declaration);
}
