import type { UnitAnswer } from '../../../ports/unit-executor.js';
import type { Endpoints } from './endpoints.js';
import type { EndpointPolicy, Visit, Visitor } from './visit.js';

/** Whom an attempt calls, and how that one is to be treated. */
export interface CalledEndpoint {
  readonly endpoint: string;
  readonly policy: EndpointPolicy;
}

/** The executions of one run whose units have a circuit breaker or a rate limit, from when they come up to their end. */
export class RunVisits implements Visitor {
  waiting = 0;
  private readonly visits = new Map<number, Visit>();

  constructor(
    private readonly endpoints: Endpoints,
    readonly workflow: string,
    readonly onTurn: (executionId: number) => void,
  ) {}

  /** Whether it may be called now; if not, `onTurn` tells when. `calledBy` is asked once for each attempt. */
  mayCall(executionId: number, calledBy: () => CalledEndpoint): boolean {
    let visit = this.visits.get(executionId);
    if (visit === undefined) {
      const { endpoint, policy } = calledBy();
      visit = this.endpoints.visit(endpoint, this, executionId, policy);
      this.visits.set(executionId, visit);
    }
    return visit.endpoint.mayCall(visit);
  }

  /** The executions that are not under way. */
  waitingIds(): readonly number[] {
    return [...this.visits.values()].flatMap(({ executionId, isUnderWay }) =>
      isUnderWay ? [] : [executionId],
    );
  }

  /** It is called. */
  begin(executionId: number): void {
    const visit = this.visits.get(executionId);
    visit?.endpoint.begin(visit);
  }

  /** The call is over; null: it was aborted. */
  end(executionId: number, answer: UnitAnswer | null): void {
    const visit = this.visits.get(executionId);
    if (visit?.isUnderWay === true) this.leave(visit, answer);
  }

  /** It is not to be called any more; what is under way stays. */
  withdraw(executionId: number): void {
    const visit = this.visits.get(executionId);
    if (visit?.isUnderWay === false) this.leave(visit, null);
  }

  withdrawUnless(isWanted: (executionId: number) => boolean): void {
    for (const id of this.visits.keys()) if (!isWanted(id)) this.withdraw(id);
  }

  /** An endpoint may tell a turn to one of them while another leaves: that one is withdrawn when it is called. */
  withdrawAll(): void {
    this.withdrawUnless(() => false);
  }

  private leave(visit: Visit, answer: UnitAnswer | null): void {
    this.visits.delete(visit.executionId);
    visit.endpoint.leave(visit, answer);
  }
}
