import { createHash } from 'node:crypto';
import type { Engine, JsonObject, WorkflowDescription } from '../../engine/index.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import { RUN_RECORD } from '../tools/result-schemas.js';
import { BUILT_IN_TOOLS, type ToolName } from '../tools/tool-definitions.js';
import { withoutHeaderNames } from './without-header-names.js';

/** `metadata.annotations` of a document that say how its tool is shown. */
const NAME = 'mcp.name';
const TITLE = 'mcp.title';
const HIDDEN = 'mcp.hidden';

const PREFIX = 'workflow_';
/** What every client takes for a name. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_TITLE_CHARS = 200;
const MAX_DESCRIPTION_CHARS = 4_000;
const HASH_CHARS = 8;

const PAGE_TOOLS = 500;
const PAGE_CHARS = 1_000_000;
/** Another process may have registered something: so long what is known counts. */
const FRESH_MS = 5_000;

interface WorkflowTool {
  readonly name: string;
  readonly workflowId: string;
  /** As `tools/list` shows it. */
  readonly shown: JsonObject;
  readonly chars: number;
}

interface Known {
  readonly tools: ReadonlyMap<string, WorkflowTool>;
  readonly until: number;
}

/** The registered workflows as tools, by a setting; without it there are none. */
export class WorkflowTools {
  private known: Promise<Known> | null = null;

  constructor(
    private readonly engine: Engine,
    private readonly isOn: boolean,
  ) {}

  /** What is registered has changed. */
  forget(): void {
    this.known = null;
  }

  /** The workflow behind a tool; null: there is no such tool. */
  async workflowOf(name: string): Promise<string | null> {
    return (await this.tools()).get(name)?.workflowId ?? null;
  }

  /** One page, in the order of registration. Throws an `InvalidRequestError` for a cursor of no page. */
  async page(
    cursor: unknown,
  ): Promise<{ readonly tools: readonly JsonObject[]; readonly nextCursor?: string }> {
    const all = [...(await this.tools()).values()];
    const start = cursor === undefined ? 0 : all.findIndex(({ name }) => name === cursor) + 1;
    if (cursor !== undefined && start === 0) {
      throw new InvalidRequestError('cursor is not one of a page: leave it out to begin with the first page');
    }
    const tools: JsonObject[] = [];
    let chars = 0;
    for (const { shown, chars: its } of all.slice(start, start + PAGE_TOOLS)) {
      chars += its;
      if (tools.length > 0 && chars > PAGE_CHARS) break;
      tools.push(shown);
    }
    const last = all[start + tools.length - 1];
    return start + tools.length < all.length && last !== undefined
      ? { tools, nextCursor: last.name }
      : { tools };
  }

  private async tools(): Promise<ReadonlyMap<string, WorkflowTool>> {
    if (!this.isOn) return new Map();
    this.known ??= this.read();
    const mine = this.known;
    const { tools, until } = await mine.catch((error: unknown) => {
      if (this.known === mine) this.known = null;
      throw error;
    });
    if (Date.now() < until) return tools;
    if (this.known === mine) this.known = null;
    return this.tools();
  }

  private async read(): Promise<Known> {
    const tools = new Map<string, WorkflowTool>();
    for (const { workflowId } of await this.engine.workflows.list()) {
      const workflow = await this.engine.workflows.describe(workflowId);
      if (workflow === null || isHidden(workflow)) continue;
      const tool = toolOf(workflow, nameFor(workflow, tools));
      tools.set(tool.name, tool);
    }
    return { tools, until: Date.now() + FRESH_MS };
  }
}

function isHidden({ annotations }: WorkflowDescription): boolean {
  return [true, 'true'].includes(annotations[HIDDEN] as string | boolean);
}

/** The name that its author chose, unless it is none or another tool has it; else one made of its id. */
function nameFor(
  { workflowId, annotations }: WorkflowDescription,
  taken: ReadonlyMap<string, unknown>,
): string {
  const chosen = annotations[NAME];
  const isFree = (name: string) => !taken.has(name) && !BUILT_IN_TOOLS.has(name as ToolName);
  if (typeof chosen === 'string' && TOOL_NAME.test(chosen) && isFree(chosen)) return chosen;
  const plain = `${PREFIX}${workflowId}`;
  return TOOL_NAME.test(plain) && isFree(plain) ? plain : nameMadeOf(workflowId);
}

/** Ids may be any text; two of them never give the same name. */
function nameMadeOf(workflowId: string): string {
  const hash = createHash('sha256').update(workflowId).digest('hex').slice(0, HASH_CHARS);
  const kept = workflowId.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64 - PREFIX.length - 1 - HASH_CHARS);
  return `${PREFIX}${kept}_${hash}`;
}

function toolOf(workflow: WorkflowDescription, name: string): WorkflowTool {
  const { workflowId, description, annotations, inputSchema } = workflow;
  const title = annotations[TITLE];
  const shown = {
    name,
    title: (typeof title === 'string' && title !== '' ? title : workflowId).slice(0, MAX_TITLE_CHARS),
    description: (description ?? `Runs the workflow ${workflowId}.`).slice(0, MAX_DESCRIPTION_CHARS),
    // What a tool takes is an object, as a run's input is.
    inputSchema: { ...withoutHeaderNames(inputSchema ?? {}), type: 'object' },
    outputSchema: RUN_RECORD,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  } as JsonObject;
  return { name, workflowId, shown, chars: JSON.stringify(shown).length };
}
