import type { UnitOutcome } from '../../../ports/unit-executor.js';
import type { Endpoints } from './endpoints.js';
import type { EndpointPolicy, QueuedCall, EndpointCaller } from './queued-call.js';

/** The endpoint that an attempt calls, and the policy for it. */
export interface CalledEndpoint {
  readonly endpoint: string;
  readonly policy: EndpointPolicy;
}

/** The executions of one run whose units have a circuit breaker or a rate limit, from when they come up to their end. */
export class QueuedCallsOfRun implements EndpointCaller {
  waiting = 0;
  private readonly calls = new Map<number, QueuedCall>();

  constructor(
    private readonly endpoints: Endpoints,
    readonly namespace: string,
    readonly workflow: string,
    readonly onAvailable: (executionId: number) => void,
  ) {}

  /** Whether it may be called now; if not, `onAvailable` is called later. `calledBy` is read once for each attempt. */
  mayCall(executionId: number, calledBy: () => CalledEndpoint): boolean {
    let call = this.calls.get(executionId);
    if (call === undefined) {
      const { endpoint, policy } = calledBy();
      call = this.endpoints.enqueue(endpoint, this, executionId, policy);
      this.calls.set(executionId, call);
    }
    return call.endpoint.mayCall(call);
  }

  /** The executions that are not under way. */
  waitingIds(): readonly number[] {
    return [...this.calls.values()].flatMap(({ executionId, isUnderWay }) =>
      isUnderWay ? [] : [executionId],
    );
  }

  /** The execution is called. */
  begin(executionId: number): void {
    const call = this.calls.get(executionId);
    call?.endpoint.begin(call);
  }

  /** The call is over; `outcome` null: it was aborted. */
  end(executionId: number, outcome: UnitOutcome | null): void {
    const call = this.calls.get(executionId);
    if (call?.isUnderWay === true) this.leave(call, outcome);
  }

  /** The execution is not to be called any more; a call that is under way stays. */
  withdraw(executionId: number): void {
    const call = this.calls.get(executionId);
    if (call?.isUnderWay === false) this.leave(call, null);
  }

  withdrawUnless(isWanted: (executionId: number) => boolean): void {
    for (const id of this.calls.keys()) if (!isWanted(id)) this.withdraw(id);
  }

  /** While one leaves, its endpoint may notify another: that one is withdrawn when it would be called. */
  withdrawAll(): void {
    this.withdrawUnless(() => false);
  }

  private leave(call: QueuedCall, outcome: UnitOutcome | null): void {
    this.calls.delete(call.executionId);
    call.endpoint.leave(call, outcome);
  }
}
