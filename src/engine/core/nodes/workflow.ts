import { childRunId } from '../ids/child-run-id.js';
import type { NodeBehaviour, Thread } from '../turn/behaviour.js';
import { fail, READ } from '../turn/behaviour.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { PlanUnit, UnitNode } from '../plan/plan.js';
import type { Retry } from '../state/scope.js';
import { childDepth, MAX_CHILD_DEPTH } from '../family/child-depth.js';
import { doneIn } from './done-in.js';
import { evaluatedInput } from './evaluated-input.js';
import { settingsOf, textSetting } from './settings.js';

/** `builtin.workflow`: the thread waits for a run of another workflow, or of its own, which is started for it. */
export const workflow: NodeBehaviour = {
  execute: (thread, node, unit, { input: given, retry }) => {
    const { state } = thread.turn;
    if (retry?.child !== undefined) return begin(thread, node, unit, retry.input, { ...retry.child, retry });
    if (childDepth(state) > MAX_CHILD_DEPTH) {
      return fail(
        `Unit ${unit.id} failed: its run already lies ${MAX_CHILD_DEPTH} runs deep, one inside the other, and may start ` +
          'none: see whether the workflows call one another without an end.',
      );
    }
    const workflowId = textSetting('workflowId', settingsOf(thread, node, unit)['workflowId']) ?? '';
    const input = evaluatedInput(thread, node, unit, given);
    if (input !== undefined && !isObject(input)) {
      return fail(`Unit ${unit.id} failed: its with is the input of the run, which is an object.`);
    }
    // The id follows from the seq of the event that begins the run, which is the next one.
    const runId = childRunId(state.runId, state.seq + 1);
    return begin(thread, node, unit, input, { childRunId: runId, workflowId, retry: null });
  },
};

function begin(
  thread: Thread,
  node: UnitNode,
  { id: unitId, compensate }: PlanUnit,
  input: JsonValue | undefined,
  child: { readonly childRunId: string; readonly workflowId: string; readonly retry: Retry | null },
) {
  const { childRunId: runId, workflowId, retry } = child;
  const { turn, scope } = thread;
  const { path } = node;
  turn.emit({
    type: 'child-started',
    path,
    scope,
    unitId,
    workflowId,
    childRunId: runId,
    key: retry?.key ?? null,
    ...(input === undefined ? {} : { input }),
    ...(retry?.child === undefined ? {} : { counted: retry.child.counted, toldSeq: retry.child.toldSeq }),
    ...(compensate === null ? {} : { compensable: doneIn(thread, node) }),
  });
  return READ;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
