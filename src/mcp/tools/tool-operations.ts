import { Injectable } from '@nestjs/common';
import type { ActingEngine } from '../../engine/index.js';
import { SEARCH_RESULTS } from '../../engine/request-limits.js';
import { InvalidRequestError, type RequestFault } from '../../errors/request-errors.js';
import { HitlService } from '../../hitl/hitl.service.js';
import type { RequestContext } from '../../http/identity/request-context.js';
import { ForksService } from '../../runs/forks.service.js';
import { RunsService } from '../../runs/runs.service.js';
import { WorkflowsService } from '../../workflows/workflows.service.js';
import { ListOperations } from './list-operations.js';
import {
  addressIn,
  misses,
  OF_RUN,
  OF_WORKFLOW,
  refuseMisses,
  textIn,
  valueIn,
  type ToolArguments,
} from './tool-arguments.js';
import type { ToolName } from './tool-definitions.js';
import { workflowPage } from './workflow-page.js';

/** The longest search result; one output alone may have 16,384 characters. */
const MAX_FOUND_CHARS = 262_144;

interface RunNamed {
  readonly workflowId: string;
  readonly runId: string;
}

/** Maps the tools to the operations of the service: the same as over HTTP, and as strict. */
@Injectable()
export class ToolOperations {
  constructor(
    private readonly runs: RunsService,
    private readonly hitl: HitlService,
    private readonly workflows: WorkflowsService,
    private readonly forks: ForksService,
    private readonly lists: ListOperations,
  ) {}

  /** The result of the operation, an object. Throws what the operation throws, or an `InvalidRequestError`. */
  async perform(name: ToolName, given: ToolArguments, from: RequestContext): Promise<object> {
    const { engine } = from;
    switch (name) {
      case 'run_workflow': {
        const { workflowId } = addressIn(given, OF_WORKFLOW);
        return this.runs.start(workflowId, () => given, { ...from, alreadyRead: OF_WORKFLOW });
      }
      case 'get_run': {
        // A name that is nearly right is refused as everywhere.
        const isNamed = valueIn(given, 'workflowId') !== null || misses(given, OF_RUN).length > 0;
        const { workflowId, runId } = isNamed
          ? addressIn(given, OF_RUN)
          : await this.runs.locate(addressIn(given, ['runId']).runId, from);
        return this.get({ workflowId, runId }, misses(given, OF_RUN), from);
      }
      case 'resume_run': {
        const { workflowId, runId } = addressIn(given, OF_RUN);
        return this.runs.resume(workflowId, runId, () => given, { ...from, alreadyRead: OF_RUN });
      }
      case 'respond_hitl': {
        const { workflowId, runId } = addressIn(given, OF_RUN);
        return this.hitl.respond(workflowId, runId, () => given, { ...from, alreadyRead: OF_RUN });
      }
      case 'cancel_run': {
        const { workflowId, runId } = addressIn(given, OF_RUN);
        return this.runs.cancel(workflowId, runId, () => given, { ...from, alreadyRead: OF_RUN });
      }
      case 'pause_run': {
        const { workflowId, runId } = addressIn(given, OF_RUN);
        return this.runs.pause(workflowId, runId, () => given, { ...from, alreadyRead: OF_RUN });
      }
      case 'compensate_run': {
        const { workflowId, runId } = addressIn(given, OF_RUN);
        return this.runs.compensate(workflowId, runId, () => given, { ...from, alreadyRead: OF_RUN });
      }
      case 'fork_run': {
        const { workflowId, runId } = addressIn(given, OF_RUN);
        return this.forks.fork(workflowId, runId, () => given, { ...from, alreadyRead: OF_RUN });
      }
      case 'list_runs':
        return this.lists.runs(given, engine);
      case 'list_gates':
        return this.lists.gates(given, engine);
      case 'list_events':
        return this.lists.events(given, engine);
      case 'list_workflows':
        refuseMisses(given, name);
        return workflowPage(await engine.workflows.list(), textIn(given, 'cursor'));
      case 'describe_workflow': {
        const { workflowId } = addressIn(given, OF_WORKFLOW);
        refuseMisses(given, name);
        return describe(engine, workflowId);
      }
      case 'validate_workflow': {
        refuseMisses(given, name);
        const yaml = textIn(given, 'yaml');
        if (yaml === null) throw new InvalidRequestError('yaml (string) is required');
        const { workflowId, warnings, warningDetails } = await engine.workflows.check({
          yaml,
          bindings: given['bindings'] ?? undefined,
          caller: from.caller,
        });
        return { workflowId, warnings, warningDetails };
      }
      case 'register_workflow':
        return this.workflows.register(given, from);
      case 'delete_workflow': {
        const { workflowId } = addressIn(given, OF_WORKFLOW);
        refuseMisses(given, name);
        await this.workflows.unregister(workflowId, from);
        return { workflowId };
      }
      case 'search_memory':
        refuseMisses(given, name);
        return { results: await search(given, from) };
    }
  }

  /** An unknown run takes precedence over faults in the arguments. */
  private async get(
    { workflowId, runId }: RunNamed,
    faults: readonly RequestFault[],
    from: RequestContext,
  ): Promise<object> {
    if (faults.length === 0) return this.runs.get(workflowId, runId, from);
    await this.runs.assertRun(workflowId, runId, from);
    throw InvalidRequestError.naming(faults);
  }
}

/** Throws an `UnknownWorkflowError`. */
async function describe({ workflows }: ActingEngine, workflowId: string): Promise<object> {
  const description = await workflows.describe(workflowId);
  if (description === null) throw await workflows.unknown(workflowId);
  return description;
}

/** The best matches, as many as fit into one result. */
async function search(given: ToolArguments, { engine, caller }: RequestContext): Promise<readonly object[]> {
  const query = textIn(given, 'query');
  if (query === null) throw new InvalidRequestError('query (string) is required');
  const { least, most, usual } = SEARCH_RESULTS;
  const topK = given['topK'] ?? usual;
  if (!Number.isInteger(topK) || (topK as number) < least) {
    throw new InvalidRequestError(`topK must be a whole number from ${least} to ${most}`);
  }
  if (query === '') return [];
  const hits = await engine.memory.search({ query, topK: Math.min(topK as number, most), caller });
  let chars = 0;
  return hits.filter(({ content }) => (chars += content.length) <= MAX_FOUND_CHARS);
}
