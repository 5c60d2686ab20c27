import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '../../engine/index.js';
import { SetupError } from '../../errors/setup-errors.js';
import type { EdgeRequest } from '../edge-request.js';
import { authenticatedOf } from '../identity/authenticated.js';

/** Gives a route of the host who sends the request, as `FlowgateAuthGuard` found out. Fails where that guard is missing. */
export const FlowgatePrincipal: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Principal => {
    const known = authenticatedOf(context.switchToHttp().getRequest<EdgeRequest>());
    if (known !== undefined) return known.principal;
    throw new SetupError([
      `${context.getClass().name} takes a @FlowgatePrincipal(), and no FlowgateAuthGuard guards ${context.getHandler().name}: add @UseGuards(FlowgateAuthGuard).`,
    ]);
  },
);
