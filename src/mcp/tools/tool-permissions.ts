import type { Permission } from '../../engine/vocabulary.js';
import type { ToolName } from './tool-definitions.js';

/**
 * What each tool needs in the namespace of the request: the same as the route that does the same. A tool that is missing here does
 * not compile.
 */
export const TOOL_PERMISSIONS: Readonly<Record<ToolName, readonly Permission[]>> = {
  run_workflow: ['run:start'],
  get_run: ['run:read'],
  resume_run: ['run:steer'],
  respond_hitl: ['gate:decide'],
  list_workflows: ['workflow:read'],
  describe_workflow: ['workflow:read'],
  validate_workflow: ['workflow:register'],
  register_workflow: ['workflow:register'],
  delete_workflow: ['workflow:register'],
  search_memory: ['memory:read'],
  cancel_run: ['run:steer'],
  pause_run: ['run:steer'],
  compensate_run: ['run:steer'],
  fork_run: ['run:fork', 'run:start'],
  list_runs: ['run:read'],
  list_events: ['run:read'],
  list_gates: ['gate:read'],
};

/** Who may write documents is helped to. */
export const PROMPT_PERMISSIONS: readonly Permission[] = ['workflow:register'];
