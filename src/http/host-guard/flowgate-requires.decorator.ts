import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Permission } from '../../engine/vocabulary.js';

const REQUIRED = 'flowgate:required-permissions';

/**
 * What a route of the host needs, or each route of a controller, where `FlowgateAuthGuard` guards it: all of these permissions in the
 * namespace of the request (`Flowgate-Namespace`; left out: the only one that is granted, else `default`).
 */
export function FlowgateRequires(
  ...permissions: readonly [Permission, ...Permission[]]
): MethodDecorator & ClassDecorator {
  return SetMetadata(REQUIRED, permissions);
}

/** Of the method and of its controller. */
export function requiredPermissionsOf(context: ExecutionContext): readonly Permission[] {
  const declared = [context.getClass(), context.getHandler()].flatMap(
    (target) => (Reflect.getMetadata(REQUIRED, target) ?? []) as readonly Permission[],
  );
  return [...new Set(declared)];
}
