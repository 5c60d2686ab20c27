import { HttpException, type ArgumentsHost } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { FlowgateError } from '../../errors/flowgate-error.js';

/** Set on a request that the guards of the host have let in. */
const ENTERED = Symbol('FLOWGATE_ENTERED');

/** Called by our first guard, which runs after those of the host. */
export function letIn(request: object): void {
  (request as { [ENTERED]?: boolean })[ENTERED] = true;
}

/** Called if the host refuses the request after all; its error is handled like an error of its guards. */
export function sendBack(request: object): void {
  (request as { [ENTERED]?: boolean })[ENTERED] = false;
}

/**
 * Distinguishes errors of the host's guards, interceptors and pipes from ours. Our filters are bound to the
 * controllers, so Nest does not call those of the host, which know the host's form of errors.
 */
export class HostErrors {
  constructor(private readonly config: ApplicationConfig) {}

  /** Whether the request was refused, by whatever error, before anything of ours saw it. */
  isBeforeUs(error: unknown, context: ArgumentsHost): boolean {
    return (
      !(error instanceof FlowgateError) &&
      context.switchToHttp().getRequest<{ readonly [ENTERED]?: boolean }>()[ENTERED] !== true
    );
  }

  /** Rethrows an error of the host into the host's global filters, if there are any. */
  leaveToHost(error: unknown, context: ArgumentsHost): void {
    const isOfHost = this.isBeforeUs(error, context) || error instanceof HttpException;
    if (isOfHost && !(error instanceof FlowgateError) && this.hasFilters()) throw error;
  }

  private hasFilters(): boolean {
    return this.config.getGlobalFilters().length + this.config.getGlobalRequestFilters().length > 0;
  }
}
