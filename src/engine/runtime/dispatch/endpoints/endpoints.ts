import type { EngineLogger } from '../../../ports/logger.js';
import type { Deadlines } from '../attempts/deadlines.js';
import { Endpoint } from './endpoint.js';
import { QueuedCall, type EndpointPolicy, type EndpointCaller } from './queued-call.js';
import { ReplicaShare } from './replica-share.js';

const SWEEP_EVERY_MS = 60_000;
/** Above this many endpoints, the failures of those that are not called are forgotten, too. */
const CROWD = 10_000;

/**
 * The endpoints that units of this process call with a circuit breaker or a rate limit, for all runs. They are kept in
 * memory: after a restart each begins from scratch. What is at one address is another endpoint for each namespace: no tenant finds a
 * breaker open, or a rate limit spent, because of what another one called there.
 */
export class Endpoints {
  /** By namespace and address. */
  private readonly known = new Map<string, Endpoint>();
  private sweepAt = -Infinity;
  private readonly share: ReplicaShare;

  constructor(
    private readonly deadlines: Deadlines,
    private readonly logger: EngineLogger,
    /** Among how many processes a rate limit is divided. Default: this one has all of it. */
    replicaCount: () => number = () => 1,
  ) {
    this.share = new ReplicaShare(replicaCount);
  }

  get size(): number {
    return this.known.size;
  }

  /** A call to the endpoint comes up. It has to `leave` in the end, whatever becomes of it. */
  enqueue(address: string, caller: EndpointCaller, executionId: number, policy: EndpointPolicy): QueuedCall {
    const endpoint = this.at(caller.namespace, address);
    endpoint.callCount += 1;
    return new QueuedCall(endpoint, caller, executionId, policy, endpoint.rankFor(caller.workflow));
  }

  private at(namespace: string, address: string): Endpoint {
    const key = `${namespace}\n${address}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.sweep();
    const endpoint = new Endpoint({ namespace, address }, this.deadlines, this.logger, this.share);
    this.known.set(key, endpoint);
    return endpoint;
  }

  /** Removes unused endpoints; rare enough to cost amortised constant time. */
  private sweep(): void {
    const now = this.deadlines.now();
    if (now < this.sweepAt) return;
    this.sweepAt = now + SWEEP_EVERY_MS;
    for (const [key, endpoint] of this.known) {
      if (endpoint.isUnused(now, this.known.size > CROWD)) this.known.delete(key);
    }
  }
}
