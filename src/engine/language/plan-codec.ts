import { UnreadablePlanError } from '../../errors/document-errors.js';
import { deepFreeze } from '../core/freeze.js';
import type { JsonValue } from '../core/json.js';
import type { Plan, PlanUnit } from '../core/plan/plan.js';
import { encodeExpression, expressionFrom } from './expression/evaluators.js';
import { encodeNode, FlowDecoder } from './flow-codec.js';
import { orNull, type StoredPlan, type StoredUnit } from './stored-plan.js';

/** The form in which plans are written. Raised when it changes; `decodePlan` then reads both. */
const PLAN_REVISION = 1;

/** A plan as it is stored and hashed: the same for the same plan, whoever compiled it. */
export function encodePlan(plan: Plan): StoredPlan {
  const { workflowId, hash, maxParallelUnits, workflowMs } = plan;
  return {
    revision: PLAN_REVISION,
    workflowId,
    hash,
    maxParallelUnits,
    workflowMs,
    units: [...plan.units.values()].map(encodeUnit),
    flow: encodeNode(plan.root, ''),
  };
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

function planOf({ workflowId, hash, maxParallelUnits, workflowMs, units, flow }: StoredPlan): Plan {
  const nodes = new FlowDecoder();
  const root = nodes.decode(flow, '');
  return {
    workflowId,
    hash,
    root,
    nodes: nodes.byPath,
    units: new Map(units.map((unit) => [unit.id, unitOf(unit)])),
    maxParallelUnits,
    workflowMs,
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
  };
}

const UNIT_KINDS: ReadonlySet<string> = new Set([
  'execute',
  'approval',
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
  };
}
