import type { RunOrigin } from './types/lists.js';
import type { RunStatus } from './types/records.js';

export type Labels = Readonly<Record<string, string>>;

export interface PageRequest {
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
}

/** Instants are epoch ms. */
export interface RunsRequest extends PageRequest {
  readonly workflowId: string | undefined;
  /** Absent: any; else at least one. */
  readonly status: readonly RunStatus[] | undefined;
  readonly labels: Labels | undefined;
  readonly createdAfter: number | undefined;
  readonly createdBefore: number | undefined;
  readonly openGate: true | undefined;
  readonly gateUnit: string | undefined;
  readonly cancelled: boolean | undefined;
  readonly origin: RunOrigin | undefined;
  readonly forkedFrom: string | undefined;
  readonly parent: string | undefined;
  readonly definitionHash: string | undefined;
  readonly idPrefix: string | undefined;
}

export interface GatesRequest extends PageRequest {
  readonly status: 'open' | 'decided' | undefined;
  readonly workflowId: string | undefined;
}
