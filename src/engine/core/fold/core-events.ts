import { takeVars } from '../state/run-vars.js';
import type { JsonValue } from '../json.js';
import { approximateChars, charsOfField } from '../json-size.js';
import { anonymous } from '../log/actor.js';
import type { CoreEvent } from '../log/event.js';
import { DEFAULT_NAMESPACE } from '../namespace.js';
import { cancelledBy, UNFINISHED_WHEN_IMPORTED } from '../log/failure.js';
import { snapshotId } from '../log/snapshot-id.js';
import { fanOutKey, ROOT_SCOPE } from '../state/scope.js';
import { scopesInside } from '../state/child-scopes.js';
import type { Draft } from '../state/state.js';
import { isOver } from '../state/status.js';
import { dropInput, dropInputsInside } from '../state/unit-inputs.js';
import { byId } from '../state/wait.js';
import { kindOf } from '../waits/kinds.js';
import { closeWait } from '../waits/state-indexes.js';
import type { EventKinds, Message, Upcast } from '../waits/wait-kind.js';
import { CORE_FACTS } from './core-event-facts.js';
import { beginToCancel, beginToCleanUp, closeWaits } from './closing/cancelling.js';
import { beginClosing, beginUndoing, endUndoing } from './closing/closing.js';
import { endCompensation } from './closing/debts.js';
import { restartDeadlines } from './closing/deadlines.js';
import { beginFinally, catchFailure, leaveTry } from './closing/tries.js';
import { closeBranch, closeNode, enterRace, openItems, openPass, takeRound } from './fan-outs.js';
import { initialiseFork } from './fork-run.js';
import { beginAgain, endAgain } from './closing/compensate-again.js';
import { continueDetached } from './continue-detached.js';
import { restore } from './rewind.js';
import { finishUnit, moveCursor, scopeOf, write } from './scopes.js';

export type CoreMessage = Message &
  (
    | { readonly type: 'unit-skipped'; readonly unitId: string }
    | { readonly type: 'state-update'; readonly key: string }
    | {
        readonly type: 'delegation';
        readonly sourceUnitId: string;
        readonly targetUnitId: string;
        readonly task: JsonValue;
      }
    | { readonly type: 'policy-violation'; readonly unitId: string; readonly violation: string }
    | { readonly type: 'rewound'; readonly snapshotId: string }
    | { readonly type: 'run-failed'; readonly error: string }
    /** `by`: who requested it. */
    | { readonly type: 'cancel-requested'; readonly by: string }
    | { readonly type: 'run-cancelled'; readonly by: string }
  );

/** Version 1 recorded a name at most. */
const actorFromName: Upcast = (event) => ({ ...event, by: { ...anonymous('unknown', nameIn(event)) } });

function nameIn({ by }: { readonly [key: string]: JsonValue }): string | undefined {
  return typeof by === 'string' ? by : undefined;
}

const CHARS_OF_COMPLETED = approximateChars({ type: 'run-completed', v: 1, seq: 1, at: 1 });

/** The events that belong to no wait. */
export const CORE_EVENTS: EventKinds<CoreEvent, CoreMessage> = {
  'run-started': {
    facts: CORE_FACTS['run-started'],
    upcasts: [
      (event) => ({
        namespace: DEFAULT_NAMESPACE,
        labels: {},
        by: { ...anonymous('unknown') },
        origin: { type: 'client' },
        ...event,
      }),
    ],
    fold(draft, event) {
      draft.runId = event.runId;
      draft.namespace = event.namespace;
      draft.workflowId = event.workflowId;
      draft.definitionHash = event.definitionHash;
      if (event.by.owner !== null) draft.owner = event.by.owner;
      draft.parent = event.parent;
      draft.origin = event.origin.type;
      draft.phase = 'live';
      draft.createdAt = event.at;
      draft.input = event.input;
      takeVars(draft, event.vars);
      draft.activeLimitMs = event.deadlineAt === null ? null : event.deadlineAt - event.at;
      write(draft, ROOT_SCOPE, Object.entries(event.input), event.seq, { phase: 'entering', path: '' });
    },
  },
  'unit-skipped': {
    facts: CORE_FACTS['unit-skipped'],
    upcasts: [],
    fold(draft, { scope, path }) {
      dropInput(draft, { scope, path });
      moveCursor(draft, scope, { phase: 'left', path, metadata: null });
    },
    messages: ({ at: timestamp, unitId }) => [{ type: 'unit-skipped', timestamp, unitId }],
  },
  'state-written': {
    facts: CORE_FACTS['state-written'],
    upcasts: [],
    isCheckpoint: true,
    fold: (draft, event) => finishUnit(draft, event, event.seq, Object.entries(event.values)),
    messages: ({ at: timestamp, values }) =>
      Object.keys(values).map((key) => ({ type: 'state-update', timestamp, key })),
  },
  'branch-chosen': {
    facts: CORE_FACTS['branch-chosen'],
    upcasts: [],
    fold(draft, { path, scope, branch, task }) {
      takeRound(draft, scope, path);
      moveCursor(draft, scope, { phase: 'chosen', path, branch, task });
    },
    messages: ({ at: timestamp, source: sourceUnitId, branch: targetUnitId, task }) =>
      sourceUnitId === null ? [] : [{ type: 'delegation', timestamp, sourceUnitId, targetUnitId, task }],
  },
  'items-opened': {
    facts: CORE_FACTS['items-opened'],
    upcasts: [],
    fold(draft, event) {
      dropInputsInside(draft, event);
      openItems(draft, event);
    },
  },
  'pass-opened': { facts: CORE_FACTS['pass-opened'], upcasts: [], fold: openPass },
  'race-entered': { facts: CORE_FACTS['race-entered'], upcasts: [], fold: enterRace },
  'condition-read': {
    facts: CORE_FACTS['condition-read'],
    upcasts: [],
    fold(draft, { scope: id, path, again, iteration }) {
      const scope = scopeOf(draft, id);
      const passes = again ? scope.passes.set(path, iteration + 1) : scope.passes.delete(path);
      draft.scopes = draft.scopes.set(id, { ...scope, passes, cursor: { phase: 'read', path, again } });
      dropInputsInside(draft, { path, scope: id });
    },
  },
  'branch-closed': {
    facts: CORE_FACTS['branch-closed'],
    upcasts: [],
    fold: closeBranch,
    sweeps: ({ error }) => error !== null,
    looks: (state, { scope }) => scopesInside(state, scope),
  },
  'node-closed': {
    facts: CORE_FACTS['node-closed'],
    upcasts: [],
    fold: closeNode,
    sweeps: ({ winner }) => winner !== undefined,
    looks: ({ forks }, { scope, path }) => forks.get(fanOutKey(scope, path))?.end ?? 0,
  },
  'request-noted': {
    facts: CORE_FACTS['request-noted'],
    upcasts: [],
    isNote: true,
    fold: () => undefined,
  },
  'budget-exceeded': {
    facts: CORE_FACTS['budget-exceeded'],
    upcasts: [],
    fold: () => undefined,
    messages: ({ at: timestamp, unitId, violation }) => [
      { type: 'policy-violation', timestamp, unitId, violation },
    ],
  },
  rewound: {
    facts: CORE_FACTS.rewound,
    // Version 1 held the state that it went back to, as that version encoded it.
    upcasts: [({ state: _state, ...event }) => actorFromName(event)],
    fold(draft, { seq, at, toSeq, by, budget }, baseState) {
      if (baseState?.seq !== toSeq)
        throw new Error(`To fold a rewind, give the state after event ${toSeq} with it.`);
      const wasOver = isOver(draft);
      restore(draft, baseState, toSeq, at);
      restartDeadlines(draft, at);
      draft.rewoundSeq = seq;
      if (budget !== undefined) draft.budget = budget;
      if (wasOver) continueDetached(draft, by);
    },
    messages: ({ at: timestamp, toSeq }, runId) => [
      { type: 'rewound', timestamp, snapshotId: snapshotId(runId, toSeq) },
    ],
    sweeps: () => true,
    restates: () => true,
    looks: ({ scopes, waits, forks, decisions }) => scopes.size + waits.size + forks.size + decisions.size,
  },
  rejoined: {
    facts: CORE_FACTS.rejoined,
    upcasts: [],
    fold(draft) {
      draft.isOnItsOwn = false;
    },
  },
  unwinding: {
    facts: CORE_FACTS.unwinding,
    upcasts: [],
    fold(draft, { at, scope, path, reason, error, since, except }) {
      beginClosing(draft, scope, at, {
        path,
        reason,
        error,
        ...(since === undefined ? {} : { since }),
        ...(except === undefined ? {} : { except }),
      });
    },
    sweeps: () => true,
    looks: (state, { scope }) => scopesInside(state, scope),
  },
  'compensation-requested': {
    facts: CORE_FACTS['compensation-requested'],
    upcasts: [],
    fold: beginAgain,
    sweeps: () => true,
  },
  'compensation-started': {
    facts: CORE_FACTS['compensation-started'],
    upcasts: [],
    fold: (draft, { scope }) => beginUndoing(draft, scope),
  },
  'compensation-failed': {
    facts: CORE_FACTS['compensation-failed'],
    upcasts: [],
    fold: (draft, { executionId, error }) => endCompensation(draft, executionId, { status: 'failed', error }),
  },
  'compensation-finished': {
    facts: CORE_FACTS['compensation-finished'],
    upcasts: [],
    fold: (draft, { scope }) => endUndoing(draft, scope),
  },
  'failure-caught': {
    facts: CORE_FACTS['failure-caught'],
    upcasts: [],
    fold: catchFailure,
    sweeps: () => true,
    looks: (state, { scope }) => scopesInside(state, scope),
  },
  'finally-begun': {
    facts: CORE_FACTS['finally-begun'],
    upcasts: [],
    fold: beginFinally,
    sweeps: () => true,
    looks: (state, { scope }) => scopesInside(state, scope),
  },
  'try-left': {
    facts: CORE_FACTS['try-left'],
    upcasts: [],
    fold: leaveTry,
    sweeps: () => true,
  },
  'run-completed': {
    facts: CORE_FACTS['run-completed'],
    upcasts: [],
    chars: ({ output }) => CHARS_OF_COMPLETED + (output === undefined ? 0 : charsOfField('output', output)),
    fold(draft, { seq, output }) {
      endAgain(draft);
      draft.phase = 'completed';
      draft.endedSeq = seq;
      if (output !== undefined) draft.output = output;
    },
    sweeps: () => true,
  },
  'run-failed': {
    facts: CORE_FACTS['run-failed'],
    upcasts: [],
    fold(draft, { seq, error, unwound }) {
      endAgain(draft);
      draft.phase = 'failed';
      draft.endedSeq = seq;
      draft.error = error;
      if (unwound === true) draft.isUnwound = true;
      closeWhatEndsWithRun(draft);
    },
    failure: ({ error }) => error,
    messages: ({ at: timestamp, error }) => [{ type: 'run-failed', timestamp, error }],
    sweeps: () => true,
  },
  'cancel-requested': {
    facts: CORE_FACTS['cancel-requested'],
    upcasts: [],
    fold: beginToCancel,
    messages: ({ at: timestamp, by }) => [{ type: 'cancel-requested', timestamp, by: by.id }],
    sweeps: () => true,
    // It lifts the pauses, and with them what they had suspended is pending again.
    restates: () => true,
  },
  'clean-up-started': {
    facts: CORE_FACTS['clean-up-started'],
    upcasts: [],
    fold: beginToCleanUp,
    sweeps: () => true,
  },
  'run-cancelled': {
    facts: CORE_FACTS['run-cancelled'],
    upcasts: [actorFromName],
    fold(draft, event) {
      endAgain(draft);
      if (draft.debts.size > 0) draft.cancelledBy = event.by;
      draft.phase = 'cancelled';
      draft.endedSeq = event.seq;
      draft.error = cancelledBy(event.by);
      draft.cancelling = null;
    },
    failure: ({ by }) => cancelledBy(by),
    messages: ({ at: timestamp, by }) => [{ type: 'run-cancelled', timestamp, by: by.id }],
    sweeps: () => true,
  },
  'run-forked': {
    facts: CORE_FACTS['run-forked'],
    upcasts: [],
    isCheckpoint: true,
    fold: initialiseFork,
  },
  'run-imported': {
    facts: CORE_FACTS['run-imported'],
    upcasts: [],
    fold: finishImport,
    sweeps: () => true,
  },
};

/** The run failed: what continues outside for it ends too, and its threads stand in front of it, for a resume. */
function closeWhatEndsWithRun(draft: Draft): void {
  for (const wait of byId(draft.waits.values())) {
    const kind = kindOf(wait);
    if (kind.endsWithRun !== true) continue;
    const parkedAt = kind.parked(wait);
    closeWait(draft, wait);
    if (parkedAt !== null) moveCursor(draft, wait.scope, parkedAt);
  }
}

/**
 * Ends the part of the log that was written elsewhere. A run that was over stays as it was; one that was live is cancelled,
 * and waits for nothing. Its clock stopped with the last event: the time between that and the import is not counted.
 */
function finishImport(draft: Draft): void {
  draft.isImported = true;
  if (draft.activeSince !== null) {
    draft.activeMs += Math.max(0, draft.eventAt - draft.activeSince);
    draft.activeSince = null;
  }
  if (draft.phase !== 'live') return;
  endAgain(draft);
  draft.phase = 'cancelled';
  draft.error = UNFINISHED_WHEN_IMPORTED;
  draft.cancelling = null;
  closeWaits(draft, () => true);
}
