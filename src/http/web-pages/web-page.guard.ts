import type { Server } from 'node:http';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { EdgeOptions } from '../../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../../config/options.module.js';
import { streamOf, type EdgeRequest } from '../edge-request.js';
import { letIn } from '../refusals/host-errors.js';
import { refusalOf, type RequestCheck } from './request-check.js';
import { crossOriginCheck } from './cross-origin.js';
import { checkOneHost } from './host-name.js';
import { listensOnLoopback } from './local-listener.js';

/**
 * For a host application that sets `webPages`. The standalone service checks before the routing, where it has not
 * begun to read the body. This is the first guard of every controller of ours.
 */
@Injectable()
export class WebPageGuard implements CanActivate {
  private readonly checks: readonly RequestCheck[];

  constructor(@Inject(FLOWGATE_OPTIONS) { webPages = null }: EdgeOptions, host: HttpAdapterHost) {
    const isLocal = listensOnLoopback(() => host.httpAdapter.getHttpServer() as Server);
    this.checks = webPages === null ? [] : [checkOneHost, crossOriginCheck(webPages, isLocal)];
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<EdgeRequest>();
    letIn(request);
    if (this.checks.length === 0) return true;
    const refusal = refusalOf(streamOf(request), this.checks);
    if (refusal !== null) throw refusal;
    return true;
  }
}
