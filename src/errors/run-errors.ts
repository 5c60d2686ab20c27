import { FlowgateError } from './flowgate-error.js';
import type { Wording } from './wording.js';

/** A run may have thousands of gates and locations: an error lists so many of them. */
const MAX_LISTED = 100;

/** The workflow has no such run. */
export class UnknownRunError extends FlowgateError {
  readonly code = 'unknown-run';

  constructor(runId: string) {
    super(`Unknown run: ${runId}`);
  }
}

/** The run is over, and nothing can be decided in it any more. The interface has one sentence for both (section 7). */
export class RunOverError extends FlowgateError {
  readonly code = 'run-over';

  constructor(runId: string, status: string) {
    super(`Unknown run: ${runId}`, {
      detail: `The run is over (${status}): nobody waits for this decision any more.`,
    });
  }
}

/** No workflow of this id is registered. */
export class UnknownWorkflowError extends FlowgateError {
  readonly code = 'unknown-workflow';

  /** `detail`: which one is probably meant, or what else to do. */
  constructor(workflowId: string, detail?: Wording) {
    super(`Unknown workflow: ${workflowId}`, detail === undefined ? {} : { detail });
  }
}

/** The id is not a checkpoint of the run, or the run has none yet (`detail` says what to do then). */
export class NoCheckpointError extends FlowgateError {
  readonly code = 'no-checkpoint';

  constructor(runId: string, detail?: string) {
    super(`No checkpoint found for run: ${runId}`, detail === undefined ? {} : { detail });
  }
}

/**
 * What the run would continue from was undone, or what ran because it failed cannot be taken back: trying it again would go on from
 * what is gone.
 */
export class UnwoundError extends FlowgateError {
  readonly code = 'unwound';

  /**
   * `snapshotId`: the last checkpoint from which it may continue; null: there is none. `how`: it is to be tried again where it
   * failed, or to go back to where something was undone since.
   */
  constructor(runId: string, snapshotId: string | null, how: 'failed' | 'went') {
    const why =
      how === 'failed'
        ? `The run ${runId} failed, and what ran because of that (a compensation, a finally, a catch that rethrows) is not taken back`
        : `What the run ${runId} had done by then was undone since`;
    const wayOut =
      snapshotId === null
        ? 'start it again'
        : `resume it from the checkpoint ${snapshotId} (snapshotId) or an earlier one, or fork it there`;
    super(`${why}: ${wayOut}`, snapshotId === null ? {} : { details: [{ snapshotId }] });
  }
}

/** Compensations are to be tried again, and none has failed; or the run is still under way. */
export class NothingToCompensateError extends FlowgateError {
  readonly code = 'nothing-to-compensate';

  constructor(runId: string, isOver: boolean) {
    super((words) =>
      isOver
        ? `No compensation of the run ${runId} has failed, so none is tried again: ${words.compensation}`
        : `The run ${runId} is not over: its failed compensations are tried again once it is, so wait for that, or cancel it`,
    );
  }
}

/** The gate that a decision names was decided the other way. */
export class GateDecidedError extends FlowgateError {
  readonly code = 'gate-decided';

  constructor(
    gateId: number,
    decision: { readonly approved: boolean; readonly responder: string; readonly decidedAt: number },
  ) {
    const { approved, responder, decidedAt } = decision;
    super(
      `${responder} has ${approved ? 'approved' : 'rejected'} gate ${gateId} already: read the run, and do not decide it again`,
      { details: [{ approved, responder, decidedAt }] },
    );
  }
}

/** Several gates are open and the decision does not say for which it is. */
export class AmbiguousGateError extends FlowgateError {
  readonly code = 'ambiguous-gate';

  constructor(
    gates: readonly {
      readonly gateId: number;
      readonly unitId: string;
      readonly title: string;
      /** The child run that waits for the decision. */
      readonly runId?: string;
    }[],
  ) {
    const ofChildren = gates.some(({ runId }) => runId !== undefined);
    const rest = gates.length > MAX_LISTED ? `; details have ${MAX_LISTED} of ${gates.length}` : '';
    super(
      ofChildren
        ? `Gates of child runs are open, and each run counts its own: decide in the run that asks, as details name it${rest}`
        : `Several gates are open: name one of them by gateId${rest}`,
      { details: gates.slice(0, MAX_LISTED) },
    );
  }
}

/** A decision over MCP may come from whoever started the run over MCP, and the service is configured to refuse that. */
export class OwnGateError extends FlowgateError {
  readonly code = 'own-gate';

  constructor(workflowId: string, runId: string) {
    const path = `/workflows/${encodeURIComponent(workflowId)}/runs/${encodeURIComponent(runId)}/hitl`;
    super(
      'The run was started over MCP, and nobody decides over MCP at a gate of their own run: let somebody else decide, ' +
        `or decide over HTTP: POST ${path}`,
    );
  }
}

/** A fork is to begin at a unit that the run never reached. */
export class UnitNotReachedError extends FlowgateError {
  readonly code = 'unit-not-reached';

  /** `asked`: the required occurrence; `found`: how often the run came to the unit. */
  constructor(runId: string, unitId: string, asked: number, found: number) {
    super(
      found === 0
        ? `The run ${runId} never came to the unit ${unitId}: fork it from a unit or a checkpoint that it reached`
        : `The run ${runId} came to the unit ${unitId} ${found === 1 ? 'once' : `${found} times`}, not ${asked} times: send an occurrence of at most ${found}`,
    );
  }
}

/** A fork with other content is to begin after a gate at which somebody decided without having seen that content. */
export class DecidedGateError extends FlowgateError {
  readonly code = 'decided-gate';

  constructor(
    gates: readonly {
      /** Absent if the decision was made in a child run. */
      readonly gateId?: number;
      /** The gate's unit, or the unit that waited for the child run. */
      readonly unitId: string;
      readonly responder: string;
      /** The child run in which the decision was made. */
      readonly runId?: string;
    }[],
  ) {
    super(
      ({ setting }) =>
        'The fork would begin behind gates that were decided about something else: fork from before them, ' +
        `or without changes, or set ${setting('FLOWGATE_FORK_PAST_GATES')}=true`,
      {
        details: gates.slice(0, MAX_LISTED),
      },
    );
  }
}

/** A fork cannot continue by the definition that was requested. */
export class IncompatibleDefinitionError extends FlowgateError {
  readonly code = 'incompatible-definition';

  /** `paths`: where the run is, and the definition has something else. Empty: the definition does not exist. */
  constructor(message: Wording, paths: readonly string[]) {
    super(message, { details: paths.slice(0, MAX_LISTED).map((path) => ({ path })) });
  }
}

/** A run is to be imported under an id that is taken. */
export class KnownRunError extends FlowgateError {
  readonly code = 'run-known';

  constructor(runId: string) {
    super(`The run ${runId} is here already: nothing was imported`);
  }
}

/** An imported run can never continue. */
export class ImportedRunError extends FlowgateError {
  readonly code = 'imported-run';

  constructor(runId: string) {
    super(`The run ${runId} was imported, and never goes on itself: fork it`);
  }
}
