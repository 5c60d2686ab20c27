import { Inject, Injectable } from '@nestjs/common';
import type { EdgeOptions, HostRequest } from '../../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../../config/options.module.js';
import type { RequestContext } from './request-context.js';
import { callerOf } from './caller.js';
import type { EdgeRequest } from '../edge-request.js';
import { sendBack } from '../refusals/host-errors.js';

/** The name is stored in every event that the principal causes. */
const MAX_LENGTH = 256;
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Asks the host for the principal of a request. */
@Injectable()
export class Principal {
  private readonly ask: EdgeOptions['actor'];

  constructor(@Inject(FLOWGATE_OPTIONS) { actor }: EdgeOptions) {
    this.ask = actor;
  }

  /**
   * As `RequestContext.principal`; undefined, without a promise, if the host has no `actor`. Rejects with what the
   * host throws.
   */
  of(request: EdgeRequest): Promise<string | null> | undefined {
    return this.ask === undefined ? undefined : this.askHost(request);
  }

  /** The context of a request over HTTP. */
  contextOf(request: EdgeRequest): Promise<RequestContext> | RequestContext {
    const contextFor = (principal: RequestContext['principal']): RequestContext => ({
      via: 'http',
      idempotencyKey: request.headers['idempotency-key'],
      caller: callerOf(request, principal),
      ...(principal === undefined ? {} : { principal }),
    });
    return this.of(request)?.then(contextFor) ?? contextFor(undefined);
  }

  /**
   * The caller, for shares of scarce resources, of a request without an actor. If the host throws, it counts as
   * having no principal.
   */
  async callerOf(request: EdgeRequest): Promise<string> {
    const principal = await this.named(request).catch(() => null);
    return callerOf(request, principal);
  }

  private async askHost(request: HostRequest): Promise<string | null> {
    try {
      return await this.named(request);
    } catch (error) {
      sendBack(request);
      throw error;
    }
  }

  private async named(request: HostRequest): Promise<string | null> {
    return checked(await this.ask?.(request));
  }
}

function checked(principal: unknown): string | null {
  if (principal === undefined || principal === null) return null;
  if (typeof principal === 'string' && principal !== '' && principal.length <= MAX_LENGTH) {
    if (!CONTROL_CHARACTER.test(principal)) return principal;
  }
  throw new TypeError(
    `The option "actor" of FlowgateModule must give undefined or 1 to ${MAX_LENGTH} characters without control characters`,
  );
}
