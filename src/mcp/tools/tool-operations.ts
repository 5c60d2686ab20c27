import { Inject, Injectable } from '@nestjs/common';
import { ENGINE } from '../../config/instance-tokens.js';
import type { Engine } from '../../engine/index.js';
import { SEARCH_RESULTS } from '../../engine/request-limits.js';
import { InvalidRequestError, type RequestFault } from '../../errors/request-errors.js';
import { UnknownRunError } from '../../errors/run-errors.js';
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

/** Maps the tools to the operations of the service: the same as over HTTP, and as strict. */
@Injectable()
export class ToolOperations {
  constructor(
    private readonly runs: RunsService,
    private readonly hitl: HitlService,
    private readonly workflows: WorkflowsService,
    private readonly forks: ForksService,
    private readonly lists: ListOperations,
    @Inject(ENGINE) private readonly engine: Engine,
  ) {}

  /** The result of the operation, an object. Throws what the operation throws, or an `InvalidRequestError`. */
  async perform(name: ToolName, given: ToolArguments, context: Omit<RequestContext, 'via'>): Promise<object> {
    const from: RequestContext = { ...context, via: 'mcp' };
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
          : await this.located(addressIn(given, ['runId']).runId);
        return this.get(workflowId, runId, misses(given, OF_RUN));
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
        return this.lists.runs(given);
      case 'list_gates':
        return this.lists.gates(given);
      case 'list_events':
        return this.lists.events(given);
      case 'list_workflows':
        refuseMisses(given, name);
        return workflowPage(await this.engine.workflows.list(), textIn(given, 'cursor'));
      case 'describe_workflow': {
        const { workflowId } = addressIn(given, OF_WORKFLOW);
        refuseMisses(given, name);
        return this.describe(workflowId);
      }
      case 'validate_workflow': {
        refuseMisses(given, name);
        const yaml = textIn(given, 'yaml');
        if (yaml === null) throw new InvalidRequestError('yaml (string) is required');
        const { workflowId, warnings, warningDetails } = await this.engine.workflows.check({
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
        await this.workflows.unregister(workflowId);
        return { workflowId };
      }
      case 'search_memory':
        refuseMisses(given, name);
        return { results: await this.search(given, from.caller) };
    }
  }

  /** Throws an `UnknownWorkflowError`. */
  async describe(workflowId: string): Promise<object> {
    const description = await this.engine.workflows.describe(workflowId);
    if (description === null) throw await this.engine.workflows.unknown(workflowId);
    return description;
  }

  /** Where the run is, of whichever workflow it is. Throws an `UnknownRunError`. */
  private async located(runId: string): Promise<{ readonly workflowId: string; readonly runId: string }> {
    const found = await this.engine.runs.locate(runId);
    if (found === null) throw new UnknownRunError(runId);
    return found;
  }

  /** An unknown run takes precedence over faults in the arguments. */
  private async get(workflowId: string, runId: string, faults: readonly RequestFault[]): Promise<object> {
    if (faults.length === 0) return this.runs.get(workflowId, runId);
    await this.runs.assertRun(workflowId, runId);
    throw InvalidRequestError.naming(faults);
  }

  /** The best matches, as many as fit into one result. */
  private async search(given: ToolArguments, caller: string | undefined): Promise<readonly object[]> {
    const query = textIn(given, 'query');
    if (query === null) throw new InvalidRequestError('query (string) is required');
    const { least, most, usual } = SEARCH_RESULTS;
    const topK = given['topK'] ?? usual;
    if (!Number.isInteger(topK) || (topK as number) < least) {
      throw new InvalidRequestError(`topK must be a whole number from ${least} to ${most}`);
    }
    if (query === '') return [];
    const hits = await this.engine.memory.search({ query, topK: Math.min(topK as number, most), caller });
    let chars = 0;
    return hits.filter(({ content }) => (chars += content.length) <= MAX_FOUND_CHARS);
  }
}
