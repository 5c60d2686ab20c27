import { UnknownRunError } from '../../../errors/run-errors.js';
import type { Gates, WatchGatesRequest } from '../../facets/gates.js';
import type { GateItem, GatePage, ListChange } from '../../run-lists.js';
import type { RunRecord } from '../../run-record.js';
import type { OpenGate } from '../../runtime/reading/open-gates.js';
import type { RunAddress } from '../../runtime/reading/run-reader.js';
import type { ListGatesRequest } from '../../runtime/run-requests.js';
import type { RespondRequest } from '../../runtime/requests/run-steering.js';
import type { Permission } from '../../vocabulary.js';
import type { Authority } from './authority.js';
import { addressed, assertPermitted, scoped, scopedNow, streamed, type Acted } from './checked.js';

type Address = Acted<RunAddress>;

/** `engine.gates` for somebody who acts; as `ActingRuns`. Gates of runs that a run waits for are asked for by that run. */
export class ActingGates {
  constructor(
    private readonly gates: Gates,
    private readonly authority: Authority,
  ) {}

  open(address: Address): Promise<readonly OpenGate[]> {
    return this.#ofRun('gate:read', address, () =>
      this.gates.open({ ...address, ...this.authority.identity }),
    );
  }

  list(request: Acted<ListGatesRequest> = {}): Promise<GatePage> {
    const { identity } = this.authority;
    return scoped(this.authority, 'gate:read', (scope) =>
      this.gates.list({ ...request, ...identity, scope }),
    );
  }

  watch(request: Acted<WatchGatesRequest> = {}): AsyncGenerator<ListChange<GateItem>, void, void> {
    const { identity } = this.authority;
    return streamed(
      scopedNow(this.authority, 'gate:read', (scope) => this.gates.watch({ ...request, ...identity, scope })),
    );
  }

  /** Rejects where `watch` would. */
  async checkWatch(request: Acted<ListGatesRequest>): Promise<void> {
    await assertPermitted(this.authority, 'gate:read');
    this.gates.checkWatch({ ...request, ...this.authority.identity });
  }

  /** Whoever is known is the responder, whatever the request says. */
  respond(request: Acted<RespondRequest>): Promise<RunRecord> {
    const { identity } = this.authority;
    const responder = identity.by?.owner ?? request.responder;
    return this.#ofRun('gate:decide', request, () =>
      this.gates.respond({ ...request, ...identity, responder }),
    );
  }

  #ofRun<T>(action: Permission, { workflowId, runId }: Address, work: () => Promise<T>): Promise<T> {
    const hidden = (): never => {
      throw new UnknownRunError(runId);
    };
    return addressed(this.authority, { action, workflowId, hidden }, work);
  }
}
