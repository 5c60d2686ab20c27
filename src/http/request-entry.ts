import type { Permission } from '../engine/vocabulary.js';
import type { EdgeRequest } from './edge-request.js';

/** What a request was let in with, so that it can be asked again for what stays open. */
export interface RequestEntry {
  /** As the host's server has it. */
  readonly request: EdgeRequest;
  /** What the route needs; null as a namespace: it is of none. */
  readonly permissions: readonly Permission[];
  readonly namespace: string | null;
}
