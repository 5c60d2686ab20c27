import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { HostRequest } from 'flowgate';

/** Who has which token; a real application asks its identity provider. */
const PEOPLE: ReadonlyMap<string, string> = new Map([
  ['Bearer token-of-ann', 'ann'],
  ['Bearer token-of-bob', 'bob'],
]);

export function personOf({ headers }: HostRequest): string | undefined {
  return PEOPLE.get(headers.authorization ?? '');
}

@Injectable()
export class AuthGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (personOf(context.switchToHttp().getRequest<HostRequest>()) !== undefined) return true;
    throw new UnauthorizedException();
  }
}
