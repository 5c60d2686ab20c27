import type { JsonObject } from '../../../../src/engine/index.js';
import type { Step } from '../manifest.ts';

/** A run in the state in which a folder is left, and how it continues from there. */
export interface Situation {
  /** Also the id of its workflow. */
  readonly name: string;
  /** How it is left: a sentence. */
  readonly is: string;
  readonly spec: object;
  readonly input?: JsonObject;
  /** The key under which it is started. */
  readonly startKey?: string;
  /** The `uses` that is bound to the remote unit. */
  readonly remote?: string;
  readonly isCalledAsBound?: boolean;
  /** Each of its checkpoints is read as well. */
  readonly isLookedBackUpon?: boolean;
  /** Registered again before it continues: for another start, or for its remote unit's new address. */
  readonly isRegisteredAgain?: boolean;
  /** What is done to it before the folder is left. */
  readonly before?: readonly Step[];
  readonly left: 'running' | 'paused' | 'failed' | 'completed';
  /** What is done to it in the folder that is opened again. */
  readonly after: readonly Step[];
}

/** No test waits for it: the clock is moved. */
export const HOUR_MS = 3_600_000;

export const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
export const unit = (id: string, uses: string, more: object = {}) => ({ id, uses, ...more });
export const gate = (id: string, config: object = {}) => ({
  id,
  uses: 'builtin.approval',
  config: { title: `May ${id} pass?`, ...config },
});
export const once = { policyOverrides: { retry: { maxAttempts: 1 } } };
export const sequence = (...units: readonly object[]) => ({ units, flow: { type: 'sequential' } });

export const APPROVE: Step = { do: 'decide', approved: true };
export const REJECT: Step = { do: 'decide', approved: false };
export const RESUME: Step = { do: 'resume' };
export const WATCH: Step = { do: 'watch' };
export const WAIT_FOR_THE_RETRY: readonly Step[] = [
  { do: 'wait', until: 'before-the-retry' },
  { do: 'wait', until: 'the-retry' },
];
export const approve = (unitId: string, nth = 0): Step => ({
  do: 'decide',
  approved: true,
  gate: [unitId, nth],
});
export const rewindTo = (unitId: string, nth = 0): Step => ({ do: 'resume', to: [unitId, nth] });
