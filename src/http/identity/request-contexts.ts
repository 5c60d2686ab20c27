import { Inject, Injectable } from '@nestjs/common';
import type { EdgeOptions } from '../../config/edge-options.js';
import type { HostRequest } from '../../config/host-request.js';
import { ACCESS } from '../../config/access/access-tokens.js';
import { ENGINE } from '../../config/instance-tokens.js';
import { FLOWGATE_OPTIONS } from '../../config/options.module.js';
import type { ActingEngine, Engine, Principal } from '../../engine/index.js';
import { UnauthorizedError } from '../../errors/access-errors.js';
import type { EdgeRequest } from '../edge-request.js';
import { sendBack } from '../refusals/host-errors.js';
import { authenticatedOf, type Authenticated } from './authenticated.js';
import { callerOf } from './caller.js';
import type { RequestContext } from './request-context.js';

type Via = RequestContext['via'];

interface LastActed {
  readonly namespace: string;
  readonly via: Via;
  readonly engine: ActingEngine;
}

/** The name is stored in every event that the principal causes. */
const MAX_LENGTH = 256;
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Makes the context of a request: as whom it is served, and by which engine.
 *
 * 1. Nothing else at the edge reaches runs, workflows, gates and memory: what a request may do is what its engine does.
 * 2. Where requests have to be authenticated, one that was not has no context, whichever guard was forgotten.
 */
@Injectable()
export class RequestContexts {
  private readonly askActor: EdgeOptions['actor'];
  private readonly unchecked: ActingEngine;
  /** Of those who are remembered: most requests come as the one before of the same principal. */
  private readonly lastOf = new WeakMap<Principal, LastActed>();

  constructor(
    @Inject(FLOWGATE_OPTIONS) { actor }: EdgeOptions,
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(ACCESS) private readonly access: object | null,
  ) {
    this.askActor = actor;
    this.unchecked = engine.unchecked();
  }

  /**
   * Of what may change something: the host is asked for the actor. Without a promise if the host has no `actor`. Rejects with
   * what the host throws.
   */
  of(request: EdgeRequest, via: Via = 'http'): Promise<RequestContext> | RequestContext {
    const engine = this.engineFor(request, via);
    if (this.askActor === undefined || engine.actor !== null)
      return contextWith(request, { via, engine, principal: undefined });
    return this.askHost(request).then((principal) => contextWith(request, { via, engine, principal }));
  }

  /** Of what only reads: a host is not asked who it is. */
  ofReading(request: EdgeRequest): RequestContext {
    return { via: 'http', engine: this.engineFor(request, 'http') };
  }

  /**
   * Of what has no actor, and uses a share of something scarce: the host is asked whose. If it throws, it counts as having no
   * principal.
   */
  async ofSharing(request: EdgeRequest): Promise<RequestContext> {
    const context = this.ofReading(request);
    const { caller } = context.engine;
    if (caller !== null) return { ...context, caller };
    const principal = await this.named(request).catch(() => null);
    return { ...context, caller: callerOf(request, principal) };
  }

  private engineFor(request: EdgeRequest, via: Via): ActingEngine {
    const known = authenticatedOf(request);
    if (known !== undefined) return this.engineAs(known, via);
    if (this.access === null) return this.unchecked;
    throw new UnauthorizedError('no guard authenticated the request');
  }

  private engineAs({ principal, namespace }: Authenticated, via: Via): ActingEngine {
    const last = this.lastOf.get(principal);
    if (last !== undefined && last.namespace === namespace && last.via === via) return last.engine;
    const engine = this.engine.as(principal, { namespace, via });
    this.lastOf.set(principal, { namespace, via, engine });
    return engine;
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
    return checked(await this.askActor?.(request));
  }
}

function contextWith(
  request: EdgeRequest,
  { via, engine, principal }: Pick<RequestContext, 'via' | 'engine' | 'principal'>,
): RequestContext {
  return {
    via,
    engine,
    idempotencyKey: via === 'http' ? request.headers['idempotency-key'] : undefined,
    caller: engine.caller ?? callerOf(request, principal),
    ...(principal === undefined ? {} : { principal }),
  };
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
