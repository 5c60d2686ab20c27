import type { NodeBehaviour } from '../turn/behaviour.js';
import type { UnitKind } from '../plan/plan.js';
import { approval } from './approval.js';
import { execute } from './execute.js';
import { failNode } from './fail.js';
import { setNode } from './set.js';
import { wait } from './wait.js';
import { workflow } from './workflow.js';

/** Every kind of unit and its one file. */
export const NODES: { readonly [K in UnitKind]: NodeBehaviour } = {
  execute,
  approval,
  wait,
  workflow,
  set: setNode,
  fail: failNode,
};
