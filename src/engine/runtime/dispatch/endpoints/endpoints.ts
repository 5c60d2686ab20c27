import type { EngineLogger } from '../../../ports/logger.js';
import type { Deadlines } from '../deadlines.js';
import { Endpoint } from './endpoint.js';
import { Visit, type EndpointPolicy, type Visitor } from './visit.js';

const SWEEP_EVERY_MS = 60_000;
/** Of more than these, failures in a row of those that nobody calls are forgotten too. */
const CROWD = 10_000;

/**
 * The endpoints that units of this process call with care, whosever runs they are. What is known of them is in memory:
 * after a restart each begins anew.
 */
export class Endpoints {
  private readonly known = new Map<string, Endpoint>();
  private sweepAt = -Infinity;

  constructor(
    private readonly deadlines: Deadlines,
    private readonly logger: EngineLogger,
  ) {}

  get size(): number {
    return this.known.size;
  }

  /** A call to the endpoint comes up. It has to leave in the end, whatever becomes of it. */
  visit(key: string, visitor: Visitor, executionId: number, policy: EndpointPolicy): Visit {
    const endpoint = this.at(key);
    endpoint.visits += 1;
    return new Visit(endpoint, visitor, executionId, policy, endpoint.rankFor(visitor.workflow));
  }

  private at(key: string): Endpoint {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.sweep();
    const endpoint = new Endpoint(key, this.deadlines, this.logger);
    this.known.set(key, endpoint);
    return endpoint;
  }

  /** Those that nobody uses go, seldom enough to cost each a step. */
  private sweep(): void {
    const now = this.deadlines.now();
    if (now < this.sweepAt) return;
    this.sweepAt = now + SWEEP_EVERY_MS;
    for (const [key, endpoint] of this.known) {
      if (endpoint.isUnused(now, this.known.size > CROWD)) this.known.delete(key);
    }
  }
}
