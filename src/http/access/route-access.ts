import { SetMetadata } from '@nestjs/common';
import type { Permission } from '../../engine/vocabulary.js';

/** Who may call a route, where it is asked who is asking. */
export type RouteAccess =
  /** Everyone. */
  | { readonly kind: 'open' }
  /** Everyone, where clients log in for a token. Elsewhere the route is not there. */
  | { readonly kind: 'login' }
  /** Whoever is known, also where nothing is granted to them. */
  | { readonly kind: 'known' }
  /** Whoever manages keys, if only their own. The route is not there where nobody is asked. */
  | { readonly kind: 'keys' }
  /**
   * Whoever has all of these in the namespace of the request; without any: something. `isHidden`: the route is not there where
   * nobody is asked.
   */
  | {
      readonly kind: 'namespace';
      readonly permissions: readonly Permission[];
      readonly isHidden: boolean;
    }
  /** Whoever has the permission in `*`. `isHidden`: the route is not there where nobody is asked. */
  | { readonly kind: 'everywhere'; readonly permission: Permission; readonly isHidden: boolean };

const ROUTE_ACCESS = 'flowgate:route-access';

/** Everyone may call the route. */
export const Open = (): MethodDecorator => declared({ kind: 'open' });

/** Everyone may call the route, which is there only where clients log in for a token. */
export const OpenForLogin = (): MethodDecorator => declared({ kind: 'login' });

/** Whoever is known may call the route, also where nothing is granted to them. */
export const RequiresPrincipal = (): MethodDecorator => declared({ kind: 'known' });

/** Whoever manages keys may call the route, if only their own. */
export const RequiresKeyHolder = (): MethodDecorator => declared({ kind: 'keys' });

/** The permissions that the route needs in the namespace of the request; null: something must be granted there, whatever it is. */
export function Requires(
  ...permissions: readonly [null] | readonly [Permission, ...Permission[]]
): MethodDecorator {
  return declared({
    kind: 'namespace',
    permissions: permissions.filter((one) => one !== null),
    isHidden: false,
  });
}

/** As `Requires`, of a route that is not there where nobody is asked. */
export function RequiresIfAsked(permission: Permission): MethodDecorator {
  return declared({ kind: 'namespace', permissions: [permission], isHidden: true });
}

/** The permission that the route needs in `*`. */
export function RequiresEverywhere(
  permission: Permission,
  { isHidden = false }: { readonly isHidden?: boolean } = {},
): MethodDecorator {
  return declared({ kind: 'everywhere', permission, isHidden });
}

/** Of the method of a controller; undefined: it says nothing. */
export function routeAccessOf(method: object): RouteAccess | undefined {
  return Reflect.getMetadata(ROUTE_ACCESS, method) as RouteAccess | undefined;
}

function declared(access: RouteAccess): MethodDecorator {
  return SetMetadata(ROUTE_ACCESS, access);
}
