import { UnreadablePlanError } from '../../../errors/document-errors.js';
import { deepFreeze } from '../../core/freeze.js';
import type { JsonValue } from '../../core/json.js';
import type { Compensation, FlowNode, Plan, PlanUnit } from '../../core/plan/plan.js';
import { encodeExpression, expressionFrom } from '../expression/evaluators.js';
import { encodeNode, FlowDecoder } from './flow-codec.js';
import { orNull, type StoredPlan, type StoredUnit } from './stored-plan.js';

/** The newest form of plans. `decodePlan` reads all that there were. */
const PLAN_REVISION = 3;
/** A plan without these is written in the form before: its hash stays what it was. */
const SECOND_REVISION = 2;
const SINCE_THIRD: ReadonlySet<string> = new Set(['try', 'race'] satisfies FlowNode['type'][]);
/** A plan without anything of the second form is written in the first: its hash stays what it was. */
const FIRST_REVISION = 1;
const KINDS_OF_FIRST: ReadonlySet<PlanUnit['kind']> = new Set(['execute', 'approval', 'set', 'fail']);

/** A plan as it is stored and hashed: the same for the same plan, whoever compiled it. */
export function encodePlan(plan: Plan): StoredPlan {
  const { workflowId, hash, maxParallelUnits, workflowMs, onCancel, vars, output, compensateOn } = plan;
  return {
    revision: revisionOf(plan),
    workflowId,
    hash,
    maxParallelUnits,
    workflowMs,
    units: [...plan.units.values()].map(encodeUnit),
    flow: encodeNode(plan.root, ''),
    ...(onCancel === null ? {} : { onCancel: encodeNode(onCancel, '') }),
    ...(vars.length === 0
      ? {}
      : { vars: vars.map(({ name, value }) => ({ name, value: encodeExpression(value) })) }),
    ...(output === null ? {} : { output: encodeExpression(output) }),
    ...(compensateOn.failure && compensateOn.cancel ? {} : { compensateOn }),
  };
}

function revisionOf(plan: Plan): number {
  const { failure, cancel } = plan.compensateOn;
  if (plan.output !== null || plan.vars.length > 0 || !failure || !cancel) return PLAN_REVISION;
  for (const node of plan.nodes.values()) if (isOfThirdForm(node)) return PLAN_REVISION;
  for (const unit of plan.units.values())
    if (unit.compensate !== null || isGateWithTimeout(unit)) return PLAN_REVISION;
  return isOfFirstForm(plan) ? FIRST_REVISION : SECOND_REVISION;
}

function isGateWithTimeout({ kind, settings }: PlanUnit): boolean {
  if (kind !== 'approval' || settings === null) return false;
  const stored = encodeExpression(settings);
  const given =
    stored.kind === 'overlay' ? [stored.value, stored.over] : 'value' in stored ? [stored.value] : [];
  return given.some((one) => typeof one === 'object' && one !== null && Object.hasOwn(one, 'timeout'));
}

function isOfThirdForm(node: FlowNode): boolean {
  if (node.type !== 'foreach') return SINCE_THIRD.has(node.type);
  const { failureStrategy, failures, maxFailures, itemKey } = node;
  return failureStrategy !== 'fail-fast' || (failures ?? maxFailures ?? itemKey) !== null;
}

function isOfFirstForm({ onCancel, units }: Plan): boolean {
  if (onCancel !== null) return false;
  for (const { kind, budget, circuitBreaker, rateLimit } of units.values()) {
    if (!KINDS_OF_FIRST.has(kind) || (budget ?? circuitBreaker ?? rateLimit) !== null) return false;
  }
  return true;
}

/**
 * The plan that was stored, whatever the language says today: nothing is validated again and no hash is compared.
 * Throws an `UnreadablePlanError` for what a newer version wrote and for what is damaged.
 */
export function decodePlan(json: JsonValue): Plan {
  const { revision } = (json ?? {}) as Partial<StoredPlan>;
  if (typeof revision !== 'number') throw UnreadablePlanError.damaged('it has no revision');
  if (revision > PLAN_REVISION) {
    throw UnreadablePlanError.newer(`it is of revision ${revision}, and this version reads ${PLAN_REVISION}`);
  }
  try {
    return planOf(deepFreeze(json) as unknown as StoredPlan);
  } catch (error) {
    if (error instanceof UnreadablePlanError) throw error;
    throw UnreadablePlanError.damaged('a part of it is missing', error);
  }
}

function planOf(stored: StoredPlan): Plan {
  const { workflowId, hash, maxParallelUnits, workflowMs, units, flow, onCancel, output } = stored;
  const { compensateOn = { failure: true, cancel: true }, vars = [] } = stored;
  const nodes = new FlowDecoder();
  const root = nodes.decode(flow, '');
  const cleanUp = onCancel === undefined ? null : nodes.decode(onCancel, '');
  for (const { compensate } of units)
    if (compensate !== undefined) nodes.addUnit(compensate.unitId, compensate.path);
  if (cleanUp !== null && cleanUp.type !== 'parallel')
    throw UnreadablePlanError.damaged('its onCancel is no list');
  return {
    workflowId,
    hash,
    root,
    nodes: nodes.byPath,
    units: new Map(units.map((unit) => [unit.id, unitOf(unit)])),
    maxParallelUnits,
    workflowMs,
    onCancel: cleanUp,
    vars: vars.map(({ name, value }) => ({ name, value: expressionFrom(value) })),
    output: output === undefined ? null : expressionFrom(output),
    compensateOn,
  };
}

function encodeUnit(unit: PlanUnit): StoredUnit {
  return {
    id: unit.id,
    uses: unit.uses,
    kind: unit.kind,
    input: orNull(unit.input, encodeExpression),
    config: unit.config,
    settings: orNull(unit.settings, encodeExpression),
    condition: orNull(unit.condition, encodeExpression),
    pause: unit.pause,
    retry: unit.retry,
    timeoutMs: unit.timeoutMs,
    contextPolicy: unit.contextPolicy,
    stateKeys: unit.stateKeys,
    remembered: unit.remembered,
    ...(unit.budget === null ? {} : { budget: unit.budget }),
    ...(unit.circuitBreaker === null ? {} : { circuitBreaker: unit.circuitBreaker }),
    ...(unit.rateLimit === null ? {} : { rateLimit: unit.rateLimit }),
    ...(unit.compensate === null ? {} : { compensate: encodeCompensation(unit.compensate) }),
  };
}

function encodeCompensation({ unitId, path, input, onUnknown }: Compensation): StoredCompensation {
  return { unitId, path, input: orNull(input, encodeExpression), onUnknown };
}

function compensationFrom({ unitId, path, input, onUnknown }: StoredCompensation): Compensation {
  return { unitId, path, input: orNull(input, expressionFrom), onUnknown };
}

type StoredCompensation = NonNullable<StoredUnit['compensate']>;

const UNIT_KINDS: ReadonlySet<string> = new Set([
  'execute',
  'approval',
  'wait',
  'workflow',
  'set',
  'fail',
] satisfies PlanUnit['kind'][]);

function unitOf(unit: StoredUnit): PlanUnit {
  if (!UNIT_KINDS.has(unit.kind)) throw UnreadablePlanError.newer(`it has a unit of the kind ${unit.kind}`);
  return {
    ...unit,
    input: orNull(unit.input, expressionFrom),
    settings: orNull(unit.settings, expressionFrom),
    condition: orNull(unit.condition, expressionFrom),
    budget: unit.budget ?? null,
    circuitBreaker: unit.circuitBreaker ?? null,
    rateLimit: unit.rateLimit ?? null,
    compensate: unit.compensate === undefined ? null : compensationFrom(unit.compensate),
  };
}
