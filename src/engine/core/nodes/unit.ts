import type { Given, Step, Thread } from '../turn/behaviour.js';
import { READ } from '../turn/behaviour.js';
import { readCondition } from '../turn/condition.js';
import type { JsonObject } from '../json.js';
import type { FlowNode, UnitNode } from '../plan/plan.js';
import { unitAt } from '../plan/plan.js';
import { NODES } from './registry.js';

/** A thread reaches a unit: its `if`, then its `pause: before`, then the unit itself. */
export function enterUnit(thread: Thread, node: UnitNode, input: JsonObject | null): Step {
  const { turn, scope } = thread;
  const unit = unitAt(turn.plan, node);
  const { path, unitId } = node;
  if (unit.condition !== null && !readCondition(unit.condition, thread.variablesAt(node))) {
    turn.emit({ type: 'unit-skipped', path, scope, unitId });
    return READ;
  }
  if (unit.pause === 'before') {
    turn.emit({ type: 'paused', path, scope, unitId, reason: 'before', executionId: null });
    return READ;
  }
  return executeUnit(thread, node, { input, retry: null });
}

export function executeUnit(thread: Thread, node: UnitNode, given: Given): Step {
  const unit = unitAt(thread.turn.plan, node);
  return NODES[unit.kind].execute(thread, node, unit, given);
}

/** A unit ended: its `pause: after`, then the flow around it continues. */
export function leaveUnit({ turn, scope }: Thread, node: FlowNode, metadata: JsonObject | null): Step {
  if (node.type === 'unit' && unitAt(turn.plan, node).pause === 'after') {
    const { path, unitId } = node;
    turn.emit({ type: 'paused', path, scope, unitId, reason: 'after', executionId: null });
    return READ;
  }
  return { do: 'leave', node, metadata };
}
