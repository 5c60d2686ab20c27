import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { EDGE_DEFAULTS, type EdgeOptions } from '../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { SelfCallError } from '../errors/request-errors.js';
import type { EdgeRequest } from './edge-request.js';

/** Every call of a unit carries it (wire contract, "Remote unit"). */
const RUN_ID = 'x-flowgate-run-id';
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses the call of a unit where something would change: a workflow that is bound to the service's own start route
 * starts ever more of itself (decision 0027). Reading is harmless. It stands in front of the body, which is not read.
 */
@Injectable()
export class SelfCallGuard implements CanActivate {
  private readonly isAllowed: boolean;

  constructor(@Inject(FLOWGATE_OPTIONS) { allowSelfCalls = EDGE_DEFAULTS.allowSelfCalls }: EdgeOptions) {
    this.isAllowed = allowSelfCalls;
  }

  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = context
      .switchToHttp()
      .getRequest<EdgeRequest & { readonly method: string }>();
    if (this.isAllowed || headers[RUN_ID] === undefined || READING.has(method)) return true;
    throw new SelfCallError();
  }
}
