import { HttpException, Injectable, type ExecutionContext } from '@nestjs/common';
import { FlowgateError } from '../../errors/flowgate-error.js';
import { SetupError } from '../../errors/service-errors.js';
import { errorResponseOf } from '../refusals/error-response.js';
import { AccessGuard } from '../access/access.guard.js';
import { routeAccessOf, type RouteAccess } from '../access/route-access.js';
import { requiredPermissionsOf } from './flowgate-requires.decorator.js';

/**
 * Lets in who may call a route of the host's own, as `AccessGuard` does for ours.
 *
 * 1. What it refuses is an `HttpException` with the status, body and headers of ours: the filters of the host see it as one of its own.
 * 2. A route of ours is let through: the guard that stands on it knows what it needs.
 */
@Injectable()
export class HostDoor extends AccessGuard {
  /** Throws a `SetupError` where nobody is asked: whoever guards a route means that somebody is. */
  assertAsked(): void {
    if (this.access !== null) return;
    throw new SetupError([
      'FlowgateAuthGuard guards a route, and Flowgate asks nobody who they are: give FlowgateModule the option auth, or leave the guard out.',
    ]);
  }

  async admit(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http')
      throw new SetupError(['FlowgateAuthGuard guards routes of HTTP alone: leave it out here.']);
    if (routeAccessOf(context.getHandler()) !== undefined) return true;
    try {
      return await this.canActivate(context);
    } catch (error) {
      throw error instanceof FlowgateError ? this.asOfHost(error, context) : error;
    }
  }

  protected override routeOf(context: ExecutionContext): RouteAccess {
    const permissions = requiredPermissionsOf(context);
    return permissions.length === 0 ? { kind: 'known' } : { kind: 'namespace', permissions, isHidden: false };
  }

  private asOfHost(cause: FlowgateError, context: ExecutionContext): HttpException {
    const { status, body, retryAfterSeconds } = errorResponseOf(cause);
    if (retryAfterSeconds !== undefined) {
      const response: unknown = context.switchToHttp().getResponse();
      this.host.httpAdapter.setHeader(response, 'Retry-After', String(retryAfterSeconds));
    }
    return new HttpException(body, status, { cause });
  }
}
