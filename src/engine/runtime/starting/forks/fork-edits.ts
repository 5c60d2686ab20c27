import {
  InvalidInputError,
  InvalidRequestError,
  type RequestFault,
} from '../../../../errors/request-errors.js';
import { DecidedGateError, IncompatibleDefinitionError } from '../../../../errors/run-errors.js';
import type { JsonObject } from '../../../core/json.js';
import type { ForkEdits } from '../../../core/log/event.js';
import { locationsThatDiffer } from '../../../core/locations-that-differ.js';
import type { Plan } from '../../../core/plan/plan.js';
import { isReservedKey } from '../../../core/plan/reserved-key.js';
import type { GateDecision, RunState } from '../../../core/state/state.js';
import type { Definition } from '../../../definitions/definition.js';
import { checkedInput } from '../checked-start.js';
import type { CheckedFork } from './checked-fork.js';
import type { FoundLocation } from './fork-location.js';

/** What a fork would continue from, and with which definition. */
export interface ForkContent {
  /** The state with which it begins; null: it begins anew. */
  readonly source: RunState | null;
  readonly location: FoundLocation;
  readonly pinned: Definition;
  /** The definition that the fork continues with. */
  readonly definition: Definition;
  readonly isImported: boolean;
  /** Part of what it continues from was imported, and not all of that was run by `definition`. */
  readonly isImportedByAnother: boolean;
}

const OUTPUT = 'output.';

/**
 * The input that the fork has; `sourceInput` where none is given. `caller`: as for `checkedInput`. Throws an
 * `InvalidInputError` or an `InvalidRequestError`.
 */
export async function inputOf(
  { input }: CheckedFork,
  sourceInput: JsonObject,
  { source, definition, pinned, isImported }: ForkContent,
  caller: string | null,
): Promise<JsonObject> {
  // What is in the state of an imported run was never checked in this service.
  if (isImported && source !== null) await checkedInput(sourceInput, pinned, caller);
  if (input !== undefined) return checkedInput(input, definition, caller);
  if (isImported) return checkedInput(sourceInput, definition, caller);
  // An older input may hold keys that are reserved by now; what it must satisfy changed only with the definition.
  if (isSame(definition, pinned) || definition.checkInput === null) return sourceInput;
  const faults = await definition.checkInput(sourceInput, caller);
  if (faults.length > 0) throw new InvalidInputError(faults);
  return sourceInput;
}

/** Throws an `InvalidRequestError` that names every key and unit that may not be written so. */
export function checkEdits(asked: CheckedFork, { definition, location }: ForkContent): void {
  const faults = faultsOfEdits(asked, { plan: definition.plan, before: location.before });
  if (faults.length > 0) throw InvalidRequestError.naming(faults);
}

/** The keys and the unit that may not be written so. */
export function faultsOfEdits(
  { state, unitInput }: { readonly [K in 'state' | 'unitInput']?: CheckedFork[K] | undefined },
  { plan, before }: { readonly plan: Plan; readonly before: FoundLocation['before'] | undefined },
): readonly RequestFault[] {
  const faults = Object.keys(state ?? {}).flatMap((key) => faultOfKey(key, plan));
  if (unitInput === undefined || before === undefined || kindOf(plan, before.unitId) === 'execute')
    return faults;
  const message = `unitInput is for a unit that is called with an input, and ${before.unitId} is none: change the input or the state in its place`;
  return [...faults, { path: 'unitInput', message }];
}

/**
 * Throws an `IncompatibleDefinitionError` with the locations where the state is active and the definition has something
 * else.
 */
export function checkDefinition(
  { unitInput }: CheckedFork,
  { source, pinned, definition, location: { before }, isImportedByAnother }: ForkContent,
  isPastGatesAllowed: boolean,
): void {
  const gates = isImportedByAnother && !isPastGatesAllowed ? locationsOfDecisions(definition.plan) : [];
  if (gates.length > 0) {
    throw new IncompatibleDefinitionError(
      ({ setting }) =>
        'What the run has behind it was imported and went by another definition, in which gates of this one may be missing: ' +
        `fork it by the pinned definition, or from the start, or set ${setting('FLOWGATE_FORK_PAST_GATES')}=true`,
      gates,
    );
  }
  if (source === null || isSame(definition, pinned)) return;
  const differing = locationsThatDiffer(source, pinned.plan, definition.plan);
  const isUnitElsewhere = before !== undefined && !isUnitAt(definition.plan, before);
  const paths = unitInput !== undefined && isUnitElsewhere ? [...differing, before.path] : differing;
  if (paths.length === 0) return;
  throw new IncompatibleDefinitionError(
    'The workflow as it is registered now has something else where the run stands: fork it by the pinned definition, from an earlier place, or from the start',
    [...new Set(paths)],
  );
}

/** The edits as the event has them. Throws a `DecidedGateError` unless that is `allowed`. */
export function editsOf(asked: CheckedFork, content: ForkContent, allowed: boolean): ForkEdits {
  const { input, state, unitInput } = asked;
  const { source, pinned, definition, isImported } = content;
  const edits: ForkEdits = {
    ...(input === undefined ? {} : { input: true }),
    ...(state === undefined ? {} : { state }),
    ...(unitInput === undefined ? {} : { unitInput }),
    ...(isSame(definition, pinned) ? {} : { definition: pinned.plan.hash }),
  };
  const decided = source === null ? [] : decisionsThatStand(source);
  if (decided.length === 0 || (Object.keys(edits).length === 0 && !isImported)) return edits;
  if (!allowed) {
    throw new DecidedGateError(
      decided.map(([id, { unitId, responder, runId }]) =>
        runId === undefined ? { gateId: id, unitId, responder } : { runId, unitId, responder },
      ),
    );
  }
  return { ...edits, pastGates: decided.map(([gateId]) => gateId) };
}

function decisionsThatStand({ decisions }: RunState): readonly (readonly [number, GateDecision])[] {
  return [...decisions.entries()]
    .filter(([, { isTakenBack }]) => isTakenBack !== true)
    .sort(([a], [b]) => a - b);
}

function faultOfKey(key: string, plan: Plan): readonly RequestFault[] {
  const path = `state[${JSON.stringify(key.slice(0, 100))}]`;
  if (!key.startsWith(OUTPUT)) {
    if (!isReservedKey(key)) return [];
    const message = `${path} is reserved: keys that begin with errors. or hitl. are written by the service alone; rename it`;
    return [{ path, message }];
  }
  const kind = kindOf(plan, key.slice(OUTPUT.length));
  if (kind === null)
    return [{ path, message: `${path} is the output of no unit of the workflow: name one, or rename it` }];
  if (kind !== 'approval') return [];
  return [
    { path, message: `${path} says what somebody decided: fork the run from before that gate in its place` },
  ];
}

function kindOf(plan: Plan, unitId: string): string | null {
  return plan.units.get(unitId)?.kind ?? null;
}

/** The paths where people decide, or may: in a gate, or in one of a child run. */
function locationsOfDecisions(plan: Plan): readonly string[] {
  return [...plan.nodes.values()].flatMap((node) => {
    const kind = node.type === 'unit' ? kindOf(plan, node.unitId) : null;
    return kind === 'approval' || kind === 'workflow' ? [node.path] : [];
  });
}

function isUnitAt(plan: Plan, { path, unitId }: NonNullable<FoundLocation['before']>): boolean {
  const node = plan.nodes.get(path);
  return node?.type === 'unit' && node.unitId === unitId;
}

function isSame(one: Definition, other: Definition): boolean {
  return one.plan.hash === other.plan.hash;
}
