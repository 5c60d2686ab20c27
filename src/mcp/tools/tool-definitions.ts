import type { JsonObject } from '../../engine/index.js';
import {
  EVENT_PAGE as EVENT_LIMITS,
  LIST_PAGE,
  MOST_LABELS_OF_A_FILTER,
  SEARCH_RESULTS,
} from '../../engine/request-limits.js';
import { EVENT_VIEWS, GATE_STATUSES, PUBLISHED_ORIGINS, RUN_STATUSES } from '../../engine/vocabulary.js';
import { RespondHitlDto } from '../../hitl/dto/respond-hitl.dto.js';
import { ForkRunDto } from '../../runs/dto/fork-run.dto.js';
import { ResumeRunDto } from '../../runs/dto/resume-run.dto.js';
import { StartRunDto } from '../../runs/dto/start-run.dto.js';
import { StopRunDto } from '../../runs/dto/stop-run.dto.js';
import { RegisterWorkflowDto } from '../../workflows/dto/register-workflow.dto.js';
import {
  EVENT_PAGE,
  GATE_PAGE,
  RUN_PAGE,
  RUN_RECORD,
  WORKFLOW_DETAILS,
  WORKFLOW_PAGE,
} from './result-schemas.js';
import { argumentsOf, inputOf, type ArgumentWords, type ToolInput } from './tool-input.js';

/** What `tools/list` says of a tool in both profiles. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ToolInput;
}

/** What only the official profile says of a tool. */
interface ToolDetails {
  readonly title: string;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
  /** The JSON Schema of `structuredContent`. */
  readonly outputSchema: JsonObject;
}

/** A tool of our own; the tools of workflows are made in `workflow-tools.ts`. */
interface BuiltInTool {
  /** The definition of the interface, if the tool is in the interface. */
  readonly plain: ToolDefinition;
  /** JSON Schemas of further optional arguments. */
  readonly more?: Readonly<Record<string, object>>;
  /** Arguments that the interface requires, and that may be left out all the same. */
  readonly optional?: readonly string[];
  readonly details: ToolDetails;
}

const WORKFLOW_ID = { type: 'string', description: 'Id of a registered workflow' };
const RUN_ID = { type: 'string', description: 'Id of a run of that workflow' };
const OF_WORKFLOW = { workflowId: WORKFLOW_ID };
const OF_RUN = { workflowId: WORKFLOW_ID, runId: RUN_ID };

const DOCUMENT: ArgumentWords<RegisterWorkflowDto> = {
  yaml: 'The whole document, as YAML',
  bindings:
    'Where units are called, by their uses: { "<uses>": { "type": "http", "endpoint": "https://…" } }',
};
const STOP: ArgumentWords<StopRunDto> = { by: 'Who asks for it, for audit; default user' };

const ANSWERED =
  'When it answers. gate: at an open gate too; recorded: at once, when it is stored; default stop';

const LABEL = { type: 'string' };
const INSTANT = { type: ['integer', 'string'] };
const LIMIT = {
  type: 'integer',
  minimum: LIST_PAGE.least,
  maximum: LIST_PAGE.most,
  description: `How many at most; default ${LIST_PAGE.usual}`,
};
const CURSOR = { type: 'string', description: 'nextCursor of the page before, of the same filter' };
/** Fewer than over HTTP: an agent reads all of a page. */
export const USUAL_EVENTS = 50;

const READS = { readOnlyHint: true, openWorldHint: false };
/** Units may do anything, anywhere. */
const RUNS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

const TOOL_LIST = [
  // The four tools of the interface (section 4, POST /mcp); a snapshot holds the bytes of the plain profile.
  {
    plain: {
      name: 'run_workflow',
      description:
        'Starts a run of a workflow. With sync the answer comes once it is completed, paused or failed.',
      inputSchema: inputOf(OF_WORKFLOW, StartRunDto, {
        input: 'First keys of the shared state; default {}',
        sync: 'Wait for the run to stop; default false',
      }),
    },
    more: argumentsOf(StartRunDto, {
      syncUntil: 'gate: with sync, answer at an open gate too, even if something else moves; default stop',
    }),
    details: { title: 'Run a workflow', annotations: RUNS, outputSchema: RUN_RECORD },
  },
  {
    plain: {
      name: 'get_run',
      description: 'Reads the record of a run.',
      inputSchema: { type: 'object', properties: OF_RUN, required: ['workflowId', 'runId'] },
    },
    optional: ['workflowId'],
    details: { title: 'Read a run', annotations: READS, outputSchema: RUN_RECORD },
  },
  {
    plain: {
      name: 'resume_run',
      description: 'Resumes a paused or failed run, or takes it back to a checkpoint and goes on from there.',
      inputSchema: inputOf(OF_RUN, ResumeRunDto, {
        snapshotId: 'A checkpoint of the run; default: the latest',
      }),
    },
    more: argumentsOf(ResumeRunDto, {
      budget: {
        description: 'What the run may use from now on, in place of what its document says',
        fields: { maxTokens: 'Tokens, of the whole run', maxCost: 'Cost, of the whole run' },
      },
      syncUntil: ANSWERED,
    }),
    details: { title: 'Resume a run', annotations: RUNS, outputSchema: RUN_RECORD },
  },
  {
    plain: {
      name: 'respond_hitl',
      description: 'Approves or rejects at the gate at which a run waits for a person, then resumes the run.',
      inputSchema: inputOf(OF_RUN, RespondHitlDto, {
        approved: 'true approves, false rejects',
        responder: 'Who decides, for audit; default user',
        comment: 'Kept with the decision',
        gateId: 'Which gate, when several are open',
      }),
    },
    more: argumentsOf(RespondHitlDto, { syncUntil: ANSWERED }),
    details: { title: 'Decide at a gate', annotations: RUNS, outputSchema: RUN_RECORD },
  },
  {
    plain: {
      name: 'list_workflows',
      description:
        'Lists the registered workflows: their ids and what they are for. describe_workflow says what one takes.',
      inputSchema: {
        type: 'object',
        properties: { cursor: { type: 'string', description: 'nextCursor of the page before' } },
        required: [],
      },
    },
    details: { title: 'List workflows', annotations: READS, outputSchema: WORKFLOW_PAGE },
  },
  {
    plain: {
      name: 'describe_workflow',
      description: 'Says what a workflow is for, which input a run of it takes, and what it consists of.',
      inputSchema: { type: 'object', properties: OF_WORKFLOW, required: ['workflowId'] },
    },
    details: { title: 'Describe a workflow', annotations: READS, outputSchema: WORKFLOW_DETAILS },
  },
  {
    plain: {
      name: 'validate_workflow',
      description:
        'Says whether a workflow document would be registered, and what is wrong with it. Keeps nothing.',
      inputSchema: inputOf({}, RegisterWorkflowDto, DOCUMENT),
    },
    details: {
      title: 'Validate a workflow',
      annotations: READS,
      outputSchema: {
        type: 'object',
        properties: {
          workflowId: { type: 'string' },
          warnings: { type: 'array', items: { type: 'string' } },
          warningDetails: { type: 'array', items: { type: 'object' } },
        },
        required: ['workflowId', 'warnings'],
      },
    },
  },
  {
    plain: {
      name: 'register_workflow',
      description: 'Registers a workflow, or replaces the one of its id for later runs.',
      inputSchema: inputOf({}, RegisterWorkflowDto, DOCUMENT),
    },
    details: {
      title: 'Register a workflow',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      outputSchema: {
        type: 'object',
        properties: {
          workflowId: { type: 'string' },
          note: { type: 'string' },
          warnings: { type: 'array', items: { type: 'string' } },
          warningDetails: { type: 'array', items: { type: 'object' } },
        },
        required: ['workflowId', 'note'],
      },
    },
  },
  {
    plain: {
      name: 'delete_workflow',
      description: 'Unregisters a workflow: it is not started any more. Its runs go on.',
      inputSchema: { type: 'object', properties: OF_WORKFLOW, required: ['workflowId'] },
    },
    details: {
      title: 'Delete a workflow',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      outputSchema: {
        type: 'object',
        properties: { workflowId: { type: 'string' } },
        required: ['workflowId'],
      },
    },
  },
  {
    plain: {
      name: 'search_memory',
      description: 'Searches what the units of all runs have said.',
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'What to look for' },
          topK: {
            type: 'integer',
            minimum: SEARCH_RESULTS.least,
            maximum: SEARCH_RESULTS.most,
            description: `How many results; default ${SEARCH_RESULTS.usual}`,
          },
        },
        required: ['query'],
      },
    },
    details: {
      title: 'Search the memory',
      annotations: READS,
      outputSchema: {
        type: 'object',
        properties: { results: { type: 'array', items: { type: 'object' } } },
        required: ['results'],
      },
    },
  },
  {
    plain: {
      name: 'cancel_run',
      description:
        'Cancels a run: what it does is ended, then its clean-up runs. It cannot go on afterwards.',
      inputSchema: inputOf(OF_RUN, StopRunDto, STOP),
    },
    details: {
      title: 'Cancel a run',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
      outputSchema: RUN_RECORD,
    },
  },
  {
    plain: {
      name: 'pause_run',
      description: 'Pauses a run: nothing of it goes on until resume_run.',
      inputSchema: inputOf(OF_RUN, StopRunDto, STOP),
    },
    details: {
      title: 'Pause a run',
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      outputSchema: RUN_RECORD,
    },
  },
  {
    plain: {
      name: 'compensate_run',
      description:
        'Tries again what a run that is over could not undo. Refused where nothing failed to be undone.',
      inputSchema: inputOf(OF_RUN, StopRunDto, STOP),
    },
    details: {
      title: 'Undo again',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
      outputSchema: RUN_RECORD,
    },
  },
  {
    plain: {
      name: 'fork_run',
      description:
        'Begins a new run where another one stood, if you like with other input; the other one stays as it is. Without from it begins again from the start.',
      inputSchema: inputOf(OF_RUN, ForkRunDto, {
        from: {
          description: 'After a checkpoint, or just before a unit was scheduled: one of the two',
          fields: {
            snapshotId: 'A checkpoint of the run, as its messages name it',
            unitId: 'A unit of the workflow',
            occurrence: 'For the how manieth time; default 1',
          },
        },
        input: 'In place of the input of the run; default: the same',
        state: 'Keys that are laid over the shared state; default none',
        unitInput: 'What the unit of from.unitId is given, once',
        definition: 'The document of the run, or the one that is registered now; default pinned',
        labels: { description: 'To find it by; default none', values: LABEL },
        sync: 'Wait for the fork to stop; default false',
        syncUntil: 'gate: with sync, answer at an open gate too; default stop',
      }),
    },
    details: { title: 'Fork a run', annotations: RUNS, outputSchema: RUN_RECORD },
  },
  {
    plain: {
      name: 'list_runs',
      description: 'Finds runs by what is known of them, newest first. What is left out does not matter.',
      inputSchema: {
        type: 'object',
        properties: {
          workflowId: { type: 'string', description: 'Those of this workflow' },
          status: {
            type: 'array',
            items: { type: 'string', enum: RUN_STATUSES },
            description: 'Any of these',
          },
          labels: {
            type: 'object',
            additionalProperties: LABEL,
            description: 'All of these; at most three',
            maxProperties: MOST_LABELS_OF_A_FILTER,
          },
          createdAfter: { ...INSTANT, description: 'Made then or later: epoch milliseconds or RFC 3339' },
          createdBefore: { ...INSTANT, description: 'Made before: epoch milliseconds or RFC 3339' },
          openGate: { type: 'boolean', const: true, description: 'Those with a gate that waits' },
          gateUnit: { type: 'string', description: 'Those with a gate of this unit that waits' },
          cancelled: { type: 'boolean', description: 'Whether somebody cancelled them' },
          origin: { type: 'string', enum: PUBLISHED_ORIGINS, description: 'What made them' },
          forkedFrom: { type: 'string', description: 'Forks of this run' },
          parent: { type: 'string', description: 'Children of this run' },
          definitionHash: { type: 'string', description: 'Those of this version of their workflow' },
          id: { type: 'string', description: 'The beginning of their ids' },
          limit: LIMIT,
          cursor: CURSOR,
        },
        required: [],
      },
    },
    details: { title: 'List runs', annotations: READS, outputSchema: RUN_PAGE },
  },
  {
    plain: {
      name: 'list_events',
      description: 'Tells what a run did, event by event, oldest first.',
      inputSchema: {
        type: 'object',
        properties: {
          ...OF_RUN,
          afterSeq: { type: 'integer', minimum: 0, description: 'next of the page before; default 0' },
          limit: {
            type: 'integer',
            minimum: EVENT_LIMITS.least,
            maximum: EVENT_LIMITS.most,
            description: `How many; default ${USUAL_EVENTS}`,
          },
          tail: {
            type: 'integer',
            minimum: EVENT_LIMITS.least,
            maximum: EVENT_LIMITS.most,
            description: 'So many of the last, in place of afterSeq and limit',
          },
          view: {
            type: 'string',
            enum: EVENT_VIEWS,
            description: 'log: the events of the log itself, with their places; default public',
          },
        },
        required: ['workflowId', 'runId'],
      },
    },
    details: { title: 'List the events of a run', annotations: READS, outputSchema: EVENT_PAGE },
  },
  {
    plain: {
      name: 'list_gates',
      description:
        'Lists the gates of all runs at which a person decides: those that wait, or those that were decided; newest first.',
      inputSchema: {
        type: 'object',
        properties: {
          status: { type: 'string', enum: GATE_STATUSES, description: 'Default open' },
          workflowId: { type: 'string', description: 'Those of this workflow' },
          limit: LIMIT,
          cursor: CURSOR,
        },
        required: [],
      },
    },
    details: { title: 'List gates', annotations: READS, outputSchema: GATE_PAGE },
  },
] as const satisfies readonly BuiltInTool[];

export type ToolName = (typeof TOOL_LIST)[number]['plain']['name'];

/** Every tool of our own by its name, in the order in which they are listed. */
export const BUILT_IN_TOOLS: ReadonlyMap<ToolName, BuiltInTool> = new Map(
  TOOL_LIST.map((tool) => [tool.plain.name, tool]),
);

/** The definition of a tool where the interface does not fix the bytes. */
export function wholeDefinition({ plain, more, optional = [] }: BuiltInTool): ToolDefinition {
  if (more === undefined && optional.length === 0) return plain;
  const { inputSchema } = plain;
  const properties = { ...inputSchema.properties, ...more };
  const required = inputSchema.required.filter((name) => !optional.includes(name));
  return { ...plain, inputSchema: { ...inputSchema, properties, required } };
}
