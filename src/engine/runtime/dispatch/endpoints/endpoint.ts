import type { UnitAnswer } from '../../../ports/unit-executor.js';
import type { EngineLogger } from '../../../ports/logger.js';
import type { Deadline, Deadlines, Timed } from '../deadlines.js';
import { Breaker } from './breaker.js';
import { CallWindows } from './call-windows.js';
import { Line, type Opening } from './line.js';
import { TurnsOfWorkflows } from './turns-of-workflows.js';
import type { EndpointPolicy, Visit, Visited } from './visit.js';

/** So many are told at once that it is their turn; then others have the event loop. */
const MOST_AT_ONCE = 100;

/**
 * One endpoint, as the units with a circuit breaker or a rate limit call it; what others call there is not counted.
 *
 * 1. A call that may not be made now waits here: no event, no attempt, no place of `Admission`, no time of the unit.
 * 2. Whose turn it is is told once, and leaves the line. If its run cannot call it at once, the next is told: nobody here
 *    waits for a place that another workflow has used up. It comes back when its run can, to where it stood.
 * 3. Who waits is told by the end of a call, by the leave of another, or by one alarm; there is none while nobody waits.
 */
export class Endpoint implements Visited, Timed, Opening {
  /** How many visits there are, waiting or not. */
  visits = 0;
  private readonly breaker = new Breaker();
  private readonly windows = new CallWindows();
  private readonly turns = new TurnsOfWorkflows();
  private readonly line = new Line(this);
  private alarm: Deadline | null = null;
  private alarmAt = Infinity;
  private isServing = false;
  /** Whose turn it is. */
  private told: Visit | null = null;
  private isSaidToFail = false;

  constructor(
    private readonly key: string,
    private readonly deadlines: Deadlines,
    private readonly logger: EngineLogger,
  ) {}

  rankFor(workflow: string): number {
    return this.turns.rankFor(workflow);
  }

  breakerAt({ circuitBreaker }: EndpointPolicy): number {
    if (circuitBreaker === null || !this.breaker.isOpenFor(circuitBreaker)) return 0;
    return this.breaker.permitsAt(circuitBreaker);
  }

  roomAt({ rateLimit }: EndpointPolicy, now: number): number {
    if (rateLimit === null || this.windows.hasRoom(rateLimit.maxRequestsPerMinute, now)) return 0;
    return this.windows.roomAt(rateLimit.maxRequestsPerMinute);
  }

  mayCall(visit: Visit): boolean {
    const now = this.deadlines.now();
    const { line } = this;
    // Whose turn it is does not stand in line once more, behind those of its rank.
    if ((line.isEmpty || this.told === visit) && this.isOpenFor(visit, now)) return true;
    if (!visit.isWaiting) line.add(visit);
    if (line.next(now) === visit) {
      line.remove(visit);
      return true;
    }
    this.setAlarm(now);
    return false;
  }

  private isOpenFor({ policy }: Visit, now: number): boolean {
    return this.breakerAt(policy) <= now && this.roomAt(policy, now) <= now;
  }

  begin(visit: Visit): void {
    visit.isUnderWay = true;
    const { circuitBreaker, rateLimit } = visit.policy;
    const now = this.deadlines.now();
    if (circuitBreaker !== null) this.breaker.begin(visit, circuitBreaker, now);
    if (rateLimit !== null) this.windows.add(rateLimit.maxRequestsPerMinute, now);
    this.turns.serve(visit.weight);
  }

  leave(visit: Visit, answer: UnitAnswer | null): void {
    this.visits -= 1;
    if (visit.isWaiting) this.line.remove(visit);
    const { circuitBreaker } = visit.policy;
    if (visit.isUnderWay && circuitBreaker !== null) {
      this.breaker.end(visit, circuitBreaker, answer, this.deadlines.now());
      this.say(visit.policy);
    }
    visit.isUnderWay = false;
    this.serve();
  }

  /** The alarm rang. */
  overrun(): void {
    this.alarm = null;
    this.alarmAt = Infinity;
    this.serve();
  }

  /** Whether nothing would be different if it were forgotten; `isCrowded`: or next to nothing. */
  isUnused(now: number, isCrowded: boolean): boolean {
    if (this.visits > 0 || !this.windows.isEmpty(now)) return false;
    return isCrowded || this.breaker.isForgotten(now);
  }

  /** Who asks again while others are told is told in this loop, not in one of its own. */
  private serve(): void {
    if (this.isServing || (this.line.isEmpty && this.alarm === null)) return;
    this.isServing = true;
    try {
      for (let told = 0; told < MOST_AT_ONCE; told += 1) {
        const visit = this.line.next(this.deadlines.now());
        if (visit === null) break;
        this.line.remove(visit);
        this.told = visit;
        visit.visitor.onTurn(visit.executionId);
      }
    } finally {
      this.told = null;
      this.isServing = false;
      this.setAlarm(this.deadlines.now());
    }
  }

  private setAlarm(now: number): void {
    const at = this.line.nextAt(now);
    if (at === this.alarmAt && this.alarm !== null) return;
    if (this.alarm !== null) this.deadlines.drop(this.alarm);
    this.alarmAt = at;
    this.alarm = at === Infinity ? null : this.deadlines.set(this, now, at - now);
  }

  /** Once for each time that it fails, however many units spare it. */
  private say({ circuitBreaker }: EndpointPolicy): void {
    const { failuresInARow } = this.breaker;
    if (circuitBreaker === null) return;
    if (!this.isSaidToFail && this.breaker.isOpenFor(circuitBreaker)) {
      this.isSaidToFail = true;
      this.logger.warn(
        'An endpoint keeps failing: calls to it are put off, and it is tried from time to time',
        {
          endpoint: nameOf(this.key),
          failures: failuresInARow,
          resetMs: circuitBreaker.resetMs,
        },
      );
    } else if (this.isSaidToFail && failuresInARow === 0) {
      this.isSaidToFail = false;
      this.logger.info('An endpoint that kept failing answers again', { endpoint: nameOf(this.key) });
    }
  }
}

/** Without the path, in which some services have their credentials. */
function nameOf(key: string): string {
  return URL.parse(key)?.host ?? key;
}
