import { LightestFirst } from '../lightest-first.js';
import type { EndpointPolicy, Visit } from './visit.js';

/** Those who wait at one endpoint under the same policy: what holds for the first of them holds for all. */
interface Lane {
  readonly key: string;
  readonly policy: EndpointPolicy;
  readonly visits: LightestFirst<Visit>;
}

/** What an endpoint says of a policy. */
export interface Opening {
  /** From when on the breaker lets a call of it through (epoch ms), should it not be before. */
  breakerAt(policy: EndpointPolicy): number;
  /** From when on the limiter has room for one. */
  roomAt(policy: EndpointPolicy, now: number): number;
}

/**
 * Who waits at one endpoint. Of those that may be called the one of the lowest rank is next. Whom the breaker or the limiter
 * holds by a stricter measure keeps none of the others.
 */
export class Line {
  /** By policy; none is empty. */
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly opening: Opening) {}

  get isEmpty(): boolean {
    return this.lanes.size === 0;
  }

  /** To the place that it has by its rank. */
  add(visit: Visit): void {
    const key = keyOf(visit.policy);
    let lane = this.lanes.get(key);
    if (lane === undefined) {
      lane = { key, policy: visit.policy, visits: new LightestFirst() };
      this.lanes.set(key, lane);
    }
    lane.visits.add(visit);
    visit.visitor.waiting += 1;
  }

  remove(visit: Visit): void {
    const lane = this.lanes.get(keyOf(visit.policy));
    if (lane === undefined) return;
    lane.visits.remove(visit);
    visit.visitor.waiting -= 1;
    if (lane.visits.first === undefined) this.lanes.delete(lane.key);
  }

  /** Whose turn it is at that instant; null: nobody's. */
  next(now: number): Visit | null {
    let next: Visit | null = null;
    for (const { policy, visits } of this.lanes.values()) {
      const { first } = visits;
      if (first === undefined || (next !== null && next.weight <= first.weight)) continue;
      if (this.opening.breakerAt(policy) <= now && this.opening.roomAt(policy, now) <= now) next = first;
    }
    return next;
  }

  /** When to look again (epoch ms); Infinity: time alone changes nothing. */
  nextAt(now: number): number {
    if (this.next(now) !== null) return now;
    let at = Infinity;
    for (const { policy } of this.lanes.values()) {
      const breakerAt = this.opening.breakerAt(policy);
      at = Math.min(at, breakerAt > now ? breakerAt : this.opening.roomAt(policy, now));
    }
    return at;
  }
}

function keyOf({ circuitBreaker, rateLimit }: EndpointPolicy): string {
  const { failureThreshold = '', resetMs = '', timeoutMs = '' } = circuitBreaker ?? {};
  return `${failureThreshold}/${resetMs}/${timeoutMs}/${rateLimit?.maxRequestsPerMinute ?? ''}`;
}
