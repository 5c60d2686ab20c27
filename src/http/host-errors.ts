import { HttpException, type ArgumentsHost } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { FlowgateError } from '../errors/flowgate-error.js';

/** Set on a request that the guards of the host have let in. */
const ENTERED = Symbol('FLOWGATE_ENTERED');

/** The first guard of ours says so: those of the host come before it. */
export function letIn(request: object): void {
  (request as { [ENTERED]?: boolean })[ENTERED] = true;
}

/** Where the host refuses it after all: what it throws is answered as what its guards throw. */
export function sendBack(request: object): void {
  (request as { [ENTERED]?: boolean })[ENTERED] = false;
}

/**
 * Tells what a guard, an interceptor or a pipe of the host has thrown from what is ours. Filters of ours are bound to the
 * controllers, so Nest asks those of the host no more, which would know how the host says it.
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

  /** Throws the error on, into the global filters of the host, where it is the host's and there are any. */
  leaveToHost(error: unknown, context: ArgumentsHost): void {
    const isOfHost = this.isBeforeUs(error, context) || error instanceof HttpException;
    if (isOfHost && !(error instanceof FlowgateError) && this.hasFilters()) throw error;
  }

  private hasFilters(): boolean {
    return this.config.getGlobalFilters().length + this.config.getGlobalRequestFilters().length > 0;
  }
}
