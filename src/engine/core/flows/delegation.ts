import type { FlowBehaviour, Step, Thread } from '../turn/behaviour.js';
import { enter, fail, leave, READ } from '../turn/behaviour.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { DelegationNode } from '../plan/plan.js';
import type { Round } from '../state/scope.js';

/** The orchestrator hands out work to specialists, in order, and is called again, until it hands out none. */
export const delegation: FlowBehaviour<DelegationNode> = {
  enter: (_thread, node) => enter(node.orchestrator),
  childLeft: (thread, node, child, metadata) => {
    if (child !== node.orchestrator) return handOut(thread, node);
    const asked = metadata?.['delegations'];
    const items = Array.isArray(asked) ? (asked as readonly JsonValue[]) : [];
    const number = roundOf(thread, node)?.number ?? 0;
    if (items.length > 0 && number >= node.maxRounds) {
      return fail(
        `The delegation at ${node.path} still hands out work after ${node.maxRounds} rounds: raise maxRounds or let ${node.orchestrator.path} come to an end.`,
      );
    }
    const { turn, scope } = thread;
    turn.emit({ type: 'items-opened', kind: 'delegations', path: node.path, scope, items });
    return READ;
  },
  proceed: (thread, node, cursor) => {
    if (cursor.phase !== 'chosen') return handOut(thread, node);
    const specialist = node.specialists.get(cursor.branch);
    return specialist === undefined ? unknownTarget(node, cursor.branch) : enter(specialist);
  },
  childInput: (thread, node, child) => {
    if (child === node.orchestrator) return null;
    const round = roundOf(thread, node);
    const task = taskOf(round?.delegations[round.next - 1]);
    return round === undefined || round.next === 0 || task === null ? null : { task };
  },
};

function handOut(thread: Thread, node: DelegationNode): Step {
  const { turn, scope } = thread;
  const round = roundOf(thread, node);
  if (round === undefined) return leave(node);
  const next = round.delegations[round.next];
  if (next === undefined) return enter(node.orchestrator);
  const target = (next as JsonObject | null)?.['targetUnitId'];
  if (typeof target !== 'string' || !node.specialists.has(target)) return unknownTarget(node, target);
  const source = node.orchestrator.type === 'unit' ? node.orchestrator.unitId : node.orchestrator.path;
  turn.emit({ type: 'branch-chosen', path: node.path, scope, branch: target, source, task: taskOf(next) });
  return READ;
}

function roundOf({ turn, scope }: Thread, node: DelegationNode): Round | undefined {
  return turn.state.scopes.get(scope)?.rounds.get(node.path);
}

function taskOf(item: JsonValue | undefined): JsonValue {
  return (item as JsonObject | null | undefined)?.['task'] ?? null;
}

function unknownTarget(node: DelegationNode, target: JsonValue | undefined): Step {
  const names = [...node.specialists.keys()].join(', ');
  return fail(
    `The delegation at ${node.path} was asked for ${JSON.stringify(target ?? null).slice(0, 200)}; its specialists are ${names}.`,
    null,
    { code: 'route', attempts: 0 },
  );
}
