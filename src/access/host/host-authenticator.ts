import { HttpException } from '@nestjs/common';
import type { NamePrincipal } from '../../config/access/host-principal.js';
import type { HostRequest } from '../../config/host-request.js';
import type { Clock, EngineLogger, Principal } from '../../engine/index.js';
import { sleep } from '../../engine/ports/clock.js';
import { AuthUnavailableError, UnauthorizedError } from '../../errors/access-errors.js';
import { messageOf } from '../../errors/flowgate-error.js';
import type { Authenticator, Credentials } from '../authenticator.js';
import { principalNamed } from './host-principal.js';

const ANSWER_MS = 5_000;
const LATE = Symbol('too late');

export interface HostAuthenticatorParts {
  readonly principal: NamePrincipal;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** Reads which roles there are, and lets go of that. */
  readonly open: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Asks the host who is asking, with each request: nothing is remembered, since the host knows when it changes. */
export class HostAuthenticator implements Authenticator {
  private hasFailed = false;

  constructor(private readonly parts: HostAuthenticatorParts) {}

  open(): Promise<void> {
    return this.parts.open();
  }

  close(): Promise<void> {
    return this.parts.close();
  }

  /** Rejects with an `HttpException` of the host as it is. */
  async authenticate({ request }: Credentials): Promise<Principal> {
    if (request === undefined)
      throw new UnauthorizedError('nobody is named for requests that are not read yet');
    const principal = principalNamed(await this.named(request));
    if (typeof principal === 'string') throw new UnauthorizedError(principal);
    const { expiresAt } = principal;
    if (expiresAt !== null && expiresAt <= this.parts.clock.wallTime())
      throw new UnauthorizedError('the principal that the host named has expired');
    return principal;
  }

  private async named(request: HostRequest): Promise<unknown> {
    const { principal, clock } = this.parts;
    const done = new AbortController();
    try {
      const tooLate = sleep(clock, ANSWER_MS, done.signal).then(() => LATE);
      const named = await Promise.race([principal(request), tooLate]);
      if (named === LATE) throw new Error(`It took longer than ${ANSWER_MS} ms`);
      this.report(null);
      return named;
    } catch (error) {
      if (error instanceof HttpException) throw error;
      this.report(messageOf(error));
      throw new AuthUnavailableError('The host that says who is asking', { cause: error });
    } finally {
      done.abort();
    }
  }

  /** Once, however many requests fail. */
  private report(error: string | null): void {
    if ((error !== null) === this.hasFailed) return;
    this.hasFailed = error !== null;
    const { logger } = this.parts;
    if (error === null) logger.info('The host says again who is asking');
    else logger.error('The option auth.principal failed: requests are refused with 503', { error });
  }
}
