import type { CallOptions } from '../options.js';

export interface GetWorkflowOptions extends CallOptions {
  /** `definitionHash` of a version that is kept. Default: the one that is registered. */
  readonly hash?: string | undefined;
}
