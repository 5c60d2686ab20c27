/** One entry of `tools/list`. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
  };
}

const WORKFLOW_ID = { type: 'string', description: 'Id of a registered workflow' };
const RUN_ID = { type: 'string', description: 'Id of a run of that workflow' };

/** The four tools of the interface (section 4, POST /mcp). */
export const TOOLS = [
  {
    name: 'run_workflow',
    description:
      'Starts a run of a workflow. With sync the answer comes once it is completed, paused or failed.',
    inputSchema: {
      type: 'object',
      properties: {
        workflowId: WORKFLOW_ID,
        input: { type: 'object', description: 'First keys of the shared state; default {}' },
        sync: { type: 'boolean', description: 'Wait for the run to stop; default false' },
      },
      required: ['workflowId'],
    },
  },
  {
    name: 'get_run',
    description: 'Reads the record of a run.',
    inputSchema: {
      type: 'object',
      properties: { workflowId: WORKFLOW_ID, runId: RUN_ID },
      required: ['workflowId', 'runId'],
    },
  },
  {
    name: 'resume_run',
    description: 'Resumes a paused or failed run, or takes it back to a checkpoint and goes on from there.',
    inputSchema: {
      type: 'object',
      properties: {
        workflowId: WORKFLOW_ID,
        runId: RUN_ID,
        snapshotId: { type: 'string', description: 'A checkpoint of the run; default: the latest' },
      },
      required: ['workflowId', 'runId'],
    },
  },
  {
    name: 'respond_hitl',
    description: 'Approves or rejects at the gate at which a run waits for a person, then resumes the run.',
    inputSchema: {
      type: 'object',
      properties: {
        workflowId: WORKFLOW_ID,
        runId: RUN_ID,
        approved: { type: 'boolean', description: 'true approves, false rejects' },
        responder: { type: 'string', description: 'Who decides, for audit; default user' },
        comment: { type: 'string', description: 'Kept with the decision' },
        gateId: { type: 'integer', description: 'Which gate, when several are open' },
      },
      required: ['workflowId', 'runId', 'approved'],
    },
  },
] as const satisfies readonly ToolDefinition[];

export type ToolName = (typeof TOOLS)[number]['name'];

export function isToolName(name: unknown): name is ToolName {
  return TOOLS.some((tool) => tool.name === name);
}
