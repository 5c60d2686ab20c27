import { Declarations } from '../discovery/declarations.js';
import type { ChangeDetails, HookMoment, RunRecord } from '../engine/index.js';

/** The argument of a hook. */
export interface RunEvent {
  readonly type: HookMoment;
  readonly workflowId: string;
  readonly runId: string;
  /** `default` unless the run was started in another one. */
  readonly namespace: string;
  /** Epoch ms of the event. */
  readonly at: number;
  /** The run as it is when the hook is called: a paused one may have been resumed in the meantime. */
  readonly record: RunRecord;
  /** The gate, or the unit, of `gateOpened`, `gateClosed` and `unitFailed`. Absent: it is about the run as a whole. */
  readonly about?: ChangeDetails;
}

export interface OnRunEventOptions {
  /** Only runs of that workflow. Default: all runs. */
  readonly workflow?: string;
  /** The `name` of the FlowgateModule whose runs are meant. Default: the one without a name. */
  readonly instance?: string;
}

export interface HookDeclaration extends OnRunEventOptions {
  readonly type: HookMoment;
}

export type HookMethod = (event: RunEvent) => unknown;

export type HookDecorator = <T extends HookMethod>(
  prototype: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<T>,
) => void;

export const HOOK_DECLARATIONS = new Declarations<HookDeclaration>('flowgate:on-run-event');

/**
 * Calls a provider's method when a run of this process starts, pauses (it waits for a person), is resumed (something of it
 * moves again), completes, fails (also if it was cancelled: then `record.error` says by whom) or is cancelled; when a gate of
 * it opens, whatever else moves, or closes, by a decision or without one; and when a unit of it has failed for the last time,
 * whether or not the run goes on. The call follows once that is durable, at most once, and not at all if the process ends
 * before. It does not delay the run, and an error that it throws is only logged.
 * Four calls of a hook run at once, 1,000 more wait; further ones are left out, which is logged.
 */
export function OnRunEvent(type: HookMoment, options: OnRunEventOptions = {}): HookDecorator {
  const declaration: HookDeclaration = Object.freeze({ ...options, type });
  return (prototype, name, descriptor) =>
    HOOK_DECLARATIONS.onMethod(prototype, name, descriptor, declaration);
}
