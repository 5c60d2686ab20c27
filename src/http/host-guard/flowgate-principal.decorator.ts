import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '../../engine/index.js';
import { SetupError } from '../../errors/service-errors.js';
import type { EdgeRequest } from '../edge-request.js';
import { authenticatedOf, type Authenticated } from '../identity/authenticated.js';

/** Gives a route of the host who sends the request, as `FlowgateAuthGuard` found out. Fails where that guard is missing. */
export const FlowgatePrincipal: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Principal => known(context, 'FlowgatePrincipal').principal,
);

/**
 * Gives a route of the host the namespace of the request: what `Flowgate-Namespace` names, where `@FlowgateRequires` needs something in
 * it; else, and where it is left out, the only one that is granted, or `default`. Fails where `FlowgateAuthGuard` is missing.
 */
export const FlowgateNamespace: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string => known(context, 'FlowgateNamespace').namespace,
);

function known(context: ExecutionContext, decorator: string): Authenticated {
  const authenticated = authenticatedOf(context.switchToHttp().getRequest<EdgeRequest>());
  if (authenticated !== undefined) return authenticated;
  throw new SetupError([
    `${context.getClass().name} takes a @${decorator}(), and no FlowgateAuthGuard guards ${context.getHandler().name}: add @UseGuards(FlowgateAuthGuard).`,
  ]);
}
