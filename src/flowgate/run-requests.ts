import type { RunRecord, RunStep } from '../engine/index.js';

export interface StartOptions {
  /** Wait until the run is completed, paused or failed. Default false. */
  readonly sync?: boolean;
  /** The same key with the same request answers with the run that the first one made. Default: none. */
  readonly idempotencyKey?: string;
  /** To find the run by. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface ResumeOptions {
  /** A checkpoint to go back to. Default: the run goes on where it is. */
  readonly snapshotId?: string;
  /** What the run may use from now on, in place of what its document says; what is left out stays. Default: as before. */
  readonly budget?: { readonly maxTokens?: number; readonly maxCost?: number };
  readonly idempotencyKey?: string;
}

/** Of `cancel` and `pause`. */
export interface StopOptions {
  /** Who asks for it, for audit. Default `user`. */
  readonly by?: string;
  readonly idempotencyKey?: string;
}

export interface Decision {
  readonly approved: boolean;
  /** Who decided, for audit. Default `user`. */
  readonly responder?: string;
  readonly comment?: string;
  /** Which gate, when several are open. */
  readonly gateId?: number;
  readonly idempotencyKey?: string;
}

/** What `observe` tells: every step that the run does, and how it stands when it has stopped. */
export type RunUpdate =
  | { readonly type: 'step'; readonly step: RunStep }
  | { readonly type: 'stopped'; readonly record: RunRecord };
