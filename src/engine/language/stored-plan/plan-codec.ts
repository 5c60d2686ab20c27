import { UnreadablePlanError } from '../../../errors/document-errors.js';
import { deepFreeze } from '../../core/freeze.js';
import type { JsonValue } from '../../core/json.js';
import type { Plan, PlanUnit } from '../../core/plan/plan.js';
import { encodeExpression, expressionFrom } from '../expression/evaluators.js';
import { encodeNode, FlowDecoder } from './flow-codec.js';
import { orNull, type StoredPlan, type StoredUnit } from './stored-plan.js';

/** The newest form of plans. `decodePlan` reads all that there were. */
const PLAN_REVISION = 2;
/** A plan without anything of the second form is written in the first: its hash stays what it was. */
const FIRST_REVISION = 1;
const KINDS_OF_FIRST: ReadonlySet<PlanUnit['kind']> = new Set(['execute', 'approval', 'set', 'fail']);

/** A plan as it is stored and hashed: the same for the same plan, whoever compiled it. */
export function encodePlan(plan: Plan): StoredPlan {
  const { workflowId, hash, maxParallelUnits, workflowMs, onCancel } = plan;
  return {
    revision: isOfFirstForm(plan) ? FIRST_REVISION : PLAN_REVISION,
    workflowId,
    hash,
    maxParallelUnits,
    workflowMs,
    units: [...plan.units.values()].map(encodeUnit),
    flow: encodeNode(plan.root, ''),
    ...(onCancel === null ? {} : { onCancel: encodeNode(onCancel, '') }),
  };
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

function planOf({ workflowId, hash, maxParallelUnits, workflowMs, units, flow, onCancel }: StoredPlan): Plan {
  const nodes = new FlowDecoder();
  const root = nodes.decode(flow, '');
  const cleanUp = onCancel === undefined ? null : nodes.decode(onCancel, '');
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
  };
}

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
  };
}
