import { Inject, Injectable, Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ACCESS } from '../../config/access/access-tokens.js';
import { usualNamespace, type Principal } from '../../engine/index.js';
import { ForbiddenError, ForeignNamespaceError, UnauthorizedError } from '../../errors/access-errors.js';
import type { EdgeRequest } from '../edge-request.js';
import { setAuthenticated } from '../identity/authenticated.js';
import type { RequestEntry } from '../request-entry.js';
import type { Access } from './access.js';
import { CHALLENGE_HEADER, challengeOf } from '../refusals/challenge.js';
import { admitted } from './admission.js';
import { notThere } from './refusals/not-there.js';
import { after, assertPermitted } from './permitted.js';
import { RefusalLog } from './refusals/refusal-log.js';
import { refusalOf } from './refusals/refusal-of.js';
import { atTheDoor } from './refusals/refused-at-the-door.js';
import { assertDefaultNamespace, requestedNamespace } from './requested-namespace.js';
import { routeAccessOf, type RouteAccess } from './route-access.js';

type GuardedRequest = EdgeRequest & { readonly method: string };

/**
 * Lets in who may call the route. It is the guard after `WebPageGuard` on every controller of ours.
 *
 * 1. Who is asking is known before the namespace is looked at, and both before the permission.
 * 2. Nothing of the body is read before all of that, nor anything of a request that is more than its owner may send.
 * 3. A route that does not say who may call it is called by nobody.
 * 4. Where nobody is asked (`auth` is left out), only a foreign namespace is refused.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly log = new RefusalLog((line) => new Logger('Access').warn(line));

  constructor(
    @Inject(ACCESS) protected readonly access: Access | null,
    protected readonly host: HttpAdapterHost,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const route = this.routeOf(context);
    if (route === undefined) throw new Error(`${context.getHandler().name} does not say who may call it`);
    const { access } = this;
    if (access === null) return this.letInAnyone(request, route);
    if (isOpenTo(access, route)) return true;
    const refuse = (error: unknown): never => {
      if (error instanceof UnauthorizedError) {
        const response: unknown = context.switchToHttp().getResponse();
        this.host.httpAdapter.setHeader(response, CHALLENGE_HEADER, challengeOf(access));
      }
      throw atTheDoor(error);
    };
    try {
      const principal = admitted(request, access, this.log);
      const isIn =
        principal instanceof Promise
          ? principal.then((known) => this.letInKnown(request, route, known))
          : this.letInKnown(request, route, principal);
      return isIn instanceof Promise ? isIn.catch(refuse) : isIn;
    } catch (error) {
      return refuse(error);
    }
  }

  protected routeOf(context: ExecutionContext): RouteAccess | undefined {
    return routeAccessOf(context.getHandler());
  }

  private letInAnyone(request: GuardedRequest, route: RouteAccess): true {
    const isOfKnown = route.kind === 'keys' || route.kind === 'login';
    if (isOfKnown || ('isHidden' in route && route.isHidden)) throw notThere(this.host, request);
    if (route.kind === 'open') return true;
    try {
      assertDefaultNamespace(request.headers);
      return true;
    } catch (error) {
      throw atTheDoor(error);
    }
  }

  /** Whoever is known has a rate, and what they may not do is recorded. */
  private letInKnown(
    request: GuardedRequest,
    route: RouteAccess,
    principal: Principal,
  ): boolean | Promise<boolean> {
    const noted = (error: unknown): never => {
      if (error instanceof ForbiddenError || error instanceof ForeignNamespaceError)
        this.access?.refused(refusalOf(error, principal));
      throw error;
    };
    this.access?.rates?.take(principal.owner);
    try {
      const isIn = this.letIn(request, route, principal);
      return isIn instanceof Promise ? isIn.catch(noted) : isIn;
    } catch (error) {
      return noted(error);
    }
  }

  private letIn(
    request: GuardedRequest,
    route: RouteAccess,
    principal: Principal,
  ): boolean | Promise<boolean> {
    const known = (): true =>
      enter(principal, usualNamespace(principal), { request, permissions: [], namespace: null });
    switch (route.kind) {
      case 'open':
        return known();
      case 'login':
        throw notThere(this.host, request);
      case 'known':
        // The key of the start has no grant at all: it makes the first one, and nothing else.
        if (principal.grants.length === 0 && principal.auth === 'key')
          throw new ForeignNamespaceError(usualNamespace(principal));
        return known();
      case 'keys':
        if (principal.grants.length === 0 && principal.auth !== 'key')
          throw new ForeignNamespaceError(usualNamespace(principal));
        return known();
      case 'everywhere': {
        const entry = { request, permissions: [route.permission], namespace: null };
        return this.letInFor(principal, usualNamespace(principal), entry);
      }
      case 'namespace': {
        const namespace = requestedNamespace(request.headers, principal);
        return this.letInFor(principal, namespace, { request, permissions: route.permissions, namespace });
      }
    }
  }

  private letInFor(principal: Principal, namespace: string, entry: RequestEntry): boolean | Promise<boolean> {
    if (this.access === null) return enter(principal, namespace, entry);
    return after(assertPermitted(this.access.policy, { principal, ...entry }), () =>
      enter(principal, namespace, entry),
    );
  }
}

function isOpenTo({ metricsPublic, login }: Access, route: RouteAccess): boolean {
  switch (route.kind) {
    case 'open':
      return true;
    case 'login':
      return login !== null;
    default:
      return metricsPublic && route.kind === 'everywhere' && route.permission === 'metrics:read';
  }
}

function enter(principal: Principal, namespace: string, entry: RequestEntry): true {
  setAuthenticated(entry.request, { principal, namespace, entry });
  return true;
}
