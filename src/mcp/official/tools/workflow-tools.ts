import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type {
  ActingEngine,
  JsonObject,
  WorkflowDescription,
  WorkflowSummary,
} from '../../../engine/index.js';
import { InvalidRequestError } from '../../../errors/request-errors.js';
import { RUN_RECORD } from '../../tools/result-schemas.js';
import { BUILT_IN_TOOLS, type ToolName } from '../../tools/tool-definitions.js';
import { withoutHeaderNames } from './without-header-names.js';

/** Keys of a document's `metadata.annotations` that describe its tool. */
const NAME = 'mcp.name';
const TITLE = 'mcp.title';
const HIDDEN = 'mcp.hidden';

const PREFIX = 'workflow_';
/** The names that every client accepts. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_TITLE_CHARS = 200;
const MAX_DESCRIPTION_CHARS = 4_000;
const HASH_CHARS = 8;

const PAGE_TOOLS = 500;
const PAGE_CHARS = 1_000_000;
/** How long the list is cached: another process may have registered something. */
const FRESH_MS = 5_000;
/** How many lists are kept: those who see the same workflows share one. */
const MAX_LISTS = 100;

/** What a workflow's annotations say. No more is kept, because a thousand schemas may have 256 KiB each. */
interface Shown {
  readonly definitionHash: string;
  readonly isHidden: boolean;
  readonly chosen: unknown;
}

interface Known {
  /** The ids of workflows by the names of their tools. */
  readonly tools: ReadonlyMap<string, string>;
  readonly until: number;
  readonly shown: ReadonlyMap<string, Shown>;
}

/** What is kept for all who see the same workflows. */
interface View {
  /** Null: it has to be read again. */
  known: Promise<Known> | null;
  /** What was known before. */
  shown: ReadonlyMap<string, Shown>;
}

/** The registered workflows as tools, if the setting switches them on: to each caller those that they may see. */
export class WorkflowTools {
  /** By `engine.workflows.view`; those that were used longest ago come first. */
  private readonly views = new Map<string, View>();

  constructor(private readonly isOn: boolean) {}

  /** Drops the cached lists, because the registered workflows have changed. */
  forget(): void {
    for (const view of this.views.values()) view.known = null;
  }

  /** The workflow of a tool; null: there is no such tool. */
  async workflowOf(name: string, engine: ActingEngine): Promise<string | null> {
    return (await this.tools(engine)).get(name) ?? null;
  }

  /** One page, in the order of registration. Throws an `InvalidRequestError` for a cursor of no page. */
  async page(
    cursor: unknown,
    engine: ActingEngine,
  ): Promise<{ readonly tools: readonly JsonObject[]; readonly nextCursor?: string }> {
    const all = [...(await this.tools(engine))];
    const start = cursor === undefined ? 0 : all.findIndex(([name]) => name === cursor) + 1;
    if (cursor !== undefined && start === 0) {
      throw new InvalidRequestError('cursor is not one of a page: leave it out to begin with the first page');
    }
    const tools: JsonObject[] = [];
    let last = start;
    let chars = 0;
    for (const [name, workflowId] of all.slice(start, start + PAGE_TOOLS)) {
      if (chars > PAGE_CHARS) break;
      last += 1;
      const workflow = await described(engine, workflowId);
      if (workflow === null) continue;
      const tool = toolOf(workflow, name);
      chars += JSON.stringify(tool).length;
      tools.push(tool);
    }
    const next = last < all.length ? all[last - 1]?.[0] : undefined;
    return next === undefined ? { tools } : { tools, nextCursor: next };
  }

  private async tools(engine: ActingEngine): Promise<ReadonlyMap<string, string>> {
    if (!this.isOn || !(await engine.may('workflow:read'))) return new Map();
    const view = this.viewOf(await engine.workflows.view());
    for (;;) {
      view.known ??= read(engine, view.shown);
      const mine = view.known;
      const { tools, shown, until } = await mine.catch((error: unknown) => {
        if (view.known === mine) view.known = null;
        throw error;
      });
      view.shown = shown;
      if (Date.now() < until) return tools;
      if (view.known === mine) view.known = null;
    }
  }

  private viewOf(key: string): View {
    const view = this.views.get(key) ?? { known: null, shown: new Map<string, Shown>() };
    this.views.delete(key);
    this.views.set(key, view);
    for (const oldest of this.views.keys()) {
      if (this.views.size <= MAX_LISTS) break;
      this.views.delete(oldest);
    }
    return view;
  }
}

/** `before`: what is known of workflows that were not registered again. */
async function read(engine: ActingEngine, before: ReadonlyMap<string, Shown>): Promise<Known> {
  const tools = new Map<string, string>();
  const shown = new Map<string, Shown>();
  for (const workflow of await engine.workflows.list()) {
    const { workflowId } = workflow;
    const its = await shownOf(engine, workflow, before);
    if (its === null) continue;
    shown.set(workflowId, its);
    if (!its.isHidden) tools.set(nameFor(workflowId, its.chosen, tools), workflowId);
  }
  return { tools, shown, until: Date.now() + FRESH_MS };
}

/** The cached description unless the workflow was registered again; reading a workflow may mean loading it. */
async function shownOf(
  engine: ActingEngine,
  { workflowId, definitionHash }: WorkflowSummary,
  known: ReadonlyMap<string, Shown>,
): Promise<Shown | null> {
  const before = known.get(workflowId);
  if (before?.definitionHash === definitionHash) return before;
  const workflow = await described(engine, workflowId);
  if (workflow === null) return null;
  const { [HIDDEN]: hidden, [NAME]: chosen } = workflow.annotations;
  return { definitionHash, isHidden: hidden === true || hidden === 'true', chosen };
}

/** Yields to the event loop before each workflow. */
async function described(engine: ActingEngine, workflowId: string): Promise<WorkflowDescription | null> {
  await setImmediate();
  return engine.workflows.describe(workflowId);
}

/**
 * The name that the author chose, unless it is invalid, taken, or of the form that is made of ids: so no document takes
 * the tool name of a workflow that is registered later. Otherwise a name made of the id.
 */
function nameFor(workflowId: string, chosen: unknown, taken: ReadonlyMap<string, unknown>): string {
  const isFree = (name: string) => !taken.has(name) && !BUILT_IN_TOOLS.has(name as ToolName);
  const isOwn = typeof chosen === 'string' && TOOL_NAME.test(chosen) && !chosen.startsWith(PREFIX);
  if (isOwn && isFree(chosen)) return chosen;
  const plain = `${PREFIX}${workflowId}`;
  return TOOL_NAME.test(plain) && isFree(plain) ? plain : nameMadeOf(workflowId);
}

/** Ids may be any text; two of them never give the same name. */
function nameMadeOf(workflowId: string): string {
  const hash = createHash('sha256').update(workflowId).digest('hex').slice(0, HASH_CHARS);
  const kept = workflowId.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64 - PREFIX.length - 1 - HASH_CHARS);
  return `${PREFIX}${kept}_${hash}`;
}

/** The tool as `tools/list` shows it. */
function toolOf(workflow: WorkflowDescription, name: string): JsonObject {
  const { workflowId, description, annotations, inputSchema } = workflow;
  const title = annotations[TITLE];
  return {
    name,
    title: (typeof title === 'string' && title !== '' ? title : workflowId).slice(0, MAX_TITLE_CHARS),
    description: (description ?? `Runs the workflow ${workflowId}.`).slice(0, MAX_DESCRIPTION_CHARS),
    // The input of a tool must be an object, as a run's input is.
    inputSchema: { ...withoutHeaderNames(inputSchema ?? {}), type: 'object' },
    outputSchema: RUN_RECORD,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  } as JsonObject;
}
