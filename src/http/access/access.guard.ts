import {
  Inject,
  Injectable,
  Logger,
  NotFoundException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ACCESS } from '../../config/access/access-tokens.js';
import type { Principal } from '../../engine/index.js';
import type { Permission } from '../../engine/vocabulary.js';
import { ForbiddenError, ForeignNamespaceError, UnauthorizedError } from '../../errors/access-errors.js';
import type { EdgeRequest } from '../edge-request.js';
import { setAuthenticated } from '../identity/authenticated.js';
import type { Access, RefusedRequest } from './access.js';
import { admitted, CHALLENGE_HEADER, challengeOf } from './admission.js';
import { RefusalLog } from './refusal-log.js';
import { atTheDoor } from './refused-at-the-door.js';
import { assertDefaultNamespace, requestedNamespace, usualNamespace } from './requested-namespace.js';
import { routeAccessOf, type RouteAccess } from './route-access.js';

type GuardedRequest = EdgeRequest & { readonly method: string };

/** The adapter of the service says what it answers where nothing is; in a host, the host does. */
interface ExplainsRoutes {
  unrouted?(request: { readonly method: string; readonly path: string }): Error;
}

/** What a request asks for: permissions in a namespace, or, null, in all of them. */
interface Wanted {
  readonly principal: Principal;
  readonly namespace: string | null;
  readonly permissions: readonly Permission[];
}

/**
 * Lets in who may call the route. It is the guard after `WebPageGuard` on every controller of ours.
 *
 * 1. Who is asking is known before the namespace is looked at, and both before the permission.
 * 2. Nothing of the body is read before all of that.
 * 3. A route that does not say who may call it is called by nobody.
 * 4. Where nobody is asked (`auth` is left out), only a foreign namespace is refused.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly log = new RefusalLog((line) => new Logger('Access').warn(line));

  constructor(
    @Inject(ACCESS) private readonly access: Access | null,
    private readonly host: HttpAdapterHost,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const route = routeAccessOf(context.getHandler());
    if (route === undefined) throw new Error(`${context.getHandler().name} does not say who may call it`);
    const { access } = this;
    if (access === null) return this.letInAnyone(request, route);
    if (route.kind === 'open' || (access.metricsPublic && isOfMetrics(route))) return true;
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
          ? principal.then((known) => this.letInNoting(request, route, known))
          : this.letInNoting(request, route, principal);
      return isIn instanceof Promise ? isIn.catch(refuse) : isIn;
    } catch (error) {
      return refuse(error);
    }
  }

  private letInAnyone(request: GuardedRequest, route: RouteAccess): true {
    if (route.kind === 'keys' || ('isHidden' in route && route.isHidden)) {
      const { method, url } = request;
      const adapter = this.host.httpAdapter as object as ExplainsRoutes;
      const [path = ''] = url.split('?');
      throw adapter.unrouted?.({ method, path }) ?? new NotFoundException(`Cannot ${method} ${url}`);
    }
    if (route.kind === 'open') return true;
    try {
      assertDefaultNamespace(request.headers);
      return true;
    } catch (error) {
      throw atTheDoor(error);
    }
  }

  /** Whoever is known, and what they may not do, is recorded. */
  private letInNoting(
    request: GuardedRequest,
    route: RouteAccess,
    principal: Principal,
  ): boolean | Promise<boolean> {
    const noted = (error: unknown): never => {
      if (error instanceof ForbiddenError || error instanceof ForeignNamespaceError)
        this.access?.refused(refusalOf(error, principal));
      throw error;
    };
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
    switch (route.kind) {
      case 'open':
        return enter(request, principal, usualNamespace(principal));
      case 'known':
        // The key of the start has no grant at all: it makes the first one, and nothing else.
        if (principal.grants.length === 0 && principal.auth === 'key')
          throw new ForeignNamespaceError(usualNamespace(principal));
        return enter(request, principal, usualNamespace(principal));
      case 'keys':
        if (principal.grants.length === 0 && principal.auth !== 'key')
          throw new ForeignNamespaceError(usualNamespace(principal));
        return enter(request, principal, usualNamespace(principal));
      case 'everywhere': {
        const namespace = usualNamespace(principal);
        const permitted = this.assert({ principal, namespace: null, permissions: [route.permission] });
        return after(permitted, () => enter(request, principal, namespace));
      }
      case 'namespace': {
        const namespace = requestedNamespace(request.headers, principal);
        const permitted = this.assert({ principal, namespace, permissions: route.permissions });
        return after(permitted, () => enter(request, principal, namespace));
      }
    }
  }

  /** Throws a `ForbiddenError`, or rejects with one. */
  private assert({ principal, namespace, permissions }: Wanted): void | Promise<void> {
    const [action, ...others] = permissions;
    if (action === undefined || this.access === null) return undefined;
    const answer = this.access.policy.check({ principal, action, resource: { namespace } });
    return after(answer, (isGranted) => {
      if (!isGranted) throw new ForbiddenError(action, namespace);
      return this.assert({ principal, namespace, permissions: others });
    });
  }
}

/** In no namespace where it is one that the principal has nothing to do with: whose it is need not know of them. */
function refusalOf(error: ForbiddenError | ForeignNamespaceError, principal: Principal): RefusedRequest {
  const namespace = error instanceof ForbiddenError ? error.namespace : null;
  return { status: 403, reason: error.message, principal, namespace };
}

function isOfMetrics(route: RouteAccess): boolean {
  return route.kind === 'everywhere' && route.permission === 'metrics:read';
}

function enter(request: EdgeRequest, principal: Principal, namespace: string): true {
  setAuthenticated(request, { principal, namespace });
  return true;
}

/** Goes on at once where there is nothing to wait for: most requests are let in without a promise. */
function after<T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}
