import type { ExecutionContext, INestApplication } from '@nestjs/common';
import type { Grant, Principal } from '../../../../src/engine/index.js';
import type { EdgeRequest } from '../../../../src/http/edge-request.js';
import { setAuthenticated } from '../../../../src/http/identity/authenticated.js';

/** Who sends a request, as a guard has found out: `x-person` in `x-namespace`, with grants by the person's name. */
export function knowingPersons(grants: Readonly<Record<string, readonly Grant[]>>) {
  return (app: INestApplication): void => {
    app.useGlobalGuards({
      canActivate(context: ExecutionContext): boolean {
        const request = context.switchToHttp().getRequest<EdgeRequest>();
        const owner = request.headers['x-person']?.toString();
        if (owner === undefined) return true;
        const principal: Principal = {
          id: `key-of-${owner}`,
          owner,
          groups: [],
          grants: grants[owner] ?? [],
          auth: 'key',
          expiresAt: null,
        };
        const namespace = request.headers['x-namespace']?.toString() ?? 'default';
        setAuthenticated(request, { principal, namespace });
        return true;
      },
    });
  };
}

export const as = (person: string, namespace: string) => ({ 'x-person': person, 'x-namespace': namespace });
