import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { EDGE_DEFAULTS, type EdgeOptions } from '../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { ReentrantCallError } from '../errors/request-errors.js';
import type { EdgeRequest } from './edge-request.js';

/** Every call of a unit carries this header (wire contract, "Remote unit"). */
const RUN_ID = 'x-flowgate-run-id';
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses the calls of units where something would change: a workflow that is bound to the service's own start route
 * would start ever more runs of itself (decision 0027). Reads are harmless. The guard runs before the body is read.
 */
@Injectable()
export class ReentrantCallGuard implements CanActivate {
  private readonly isAllowed: boolean;

  constructor(@Inject(FLOWGATE_OPTIONS) { allowSelfCalls = EDGE_DEFAULTS.allowSelfCalls }: EdgeOptions) {
    this.isAllowed = allowSelfCalls;
  }

  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = context
      .switchToHttp()
      .getRequest<EdgeRequest & { readonly method: string }>();
    if (this.isAllowed || headers[RUN_ID] === undefined || READING.has(method)) return true;
    throw new ReentrantCallError();
  }
}
