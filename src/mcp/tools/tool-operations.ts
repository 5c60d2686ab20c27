import { Injectable, Logger } from '@nestjs/common';
import { InvalidRequestError, type RequestFault } from '../../errors/request-errors.js';
import { ShuttingDownError } from '../../errors/service-errors.js';
import { HitlService } from '../../hitl/hitl.service.js';
import { fieldKind, type Arrival } from '../../http/arrival.js';
import { answerTo } from '../../http/error-answer.js';
import { JsonText } from '../../http/long-answers/json-text.js';
import { isLong } from '../../http/long-answers/long-answer.js';
import { nearMisses } from '../../http/near-misses.js';
import { RunsService } from '../../runs/runs.service.js';
import { isRecord } from '../plain/rpc-request.js';
import type { ToolName } from './tool-definitions.js';

type AddressField = 'workflowId' | 'runId';

/** Which arguments of a tool are the ids of a path over HTTP; the others are the body. */
const ADDRESSES: Readonly<Record<ToolName, readonly AddressField[]>> = {
  run_workflow: ['workflowId'],
  get_run: ['workflowId', 'runId'],
  resume_run: ['workflowId', 'runId'],
  respond_hitl: ['workflowId', 'runId'],
};

/** Result of `tools/call`; the text is JSON, a RunRecord or `{ "error": … }`. */
export interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string | JsonText }];
  readonly isError?: true;
}

/** Maps the tools onto the run operations. */
@Injectable()
export class ToolsService {
  private readonly logger = new Logger('Mcp');

  constructor(
    private readonly runs: RunsService,
    private readonly hitl: HitlService,
  ) {}

  /** A tool that fails is a result; only a `ShuttingDownError` is thrown. */
  async call(name: ToolName, given: unknown, person: Arrival['person']): Promise<ToolResult> {
    try {
      const record = await this.invoke(name, argumentsOf(given), person);
      const text = isLong(record) ? new JsonText(record) : JSON.stringify(record);
      return { content: [{ type: 'text', text }] };
    } catch (error) {
      if (error instanceof ShuttingDownError) throw error;
      const { body, isFault } = answerTo(error);
      if (isFault) this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
    }
  }

  private async invoke(
    name: ToolName,
    given: Readonly<Record<string, unknown>>,
    person: Arrival['person'],
  ): Promise<unknown> {
    const { workflowId, runId } = addressIn(given, ADDRESSES[name]);
    const arrival: Arrival = { via: 'mcp', alreadyRead: ADDRESSES[name], person };
    switch (name) {
      case 'run_workflow':
        return this.runs.start(workflowId, () => given, arrival);
      case 'get_run':
        return this.get(workflowId, runId, nearMisses(given, ADDRESSES[name], fieldKind('mcp')));
      case 'resume_run':
        return this.runs.resume(workflowId, runId, () => given, arrival);
      case 'respond_hitl':
        return this.hitl.respond(workflowId, runId, () => given, arrival);
    }
  }

  /** An unknown run comes before whatever is wrong with the arguments. */
  private async get(workflowId: string, runId: string, faults: readonly RequestFault[]): Promise<unknown> {
    if (faults.length === 0) return this.runs.get(workflowId, runId);
    await this.runs.assertRun(workflowId, runId);
    throw InvalidRequestError.naming(faults);
  }
}

function argumentsOf(given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined || given === null) return {};
  if (isRecord(given)) return given;
  throw new InvalidRequestError('arguments must be an object');
}

/** The arguments that say what a tool works on, each of them required. */
function addressIn(
  given: Readonly<Record<string, unknown>>,
  fields: readonly AddressField[],
): Readonly<Record<AddressField, string>> {
  const address = { workflowId: '', runId: '' };
  const missing: RequestFault[] = [];
  for (const field of fields) {
    const value = Object.hasOwn(given, field) ? given[field] : undefined;
    if (typeof value === 'string') address[field] = value;
    else missing.push({ path: field, message: `${field} (string) is required` });
  }
  const [first] = missing;
  if (first === undefined) return address;
  const faults = [...missing, ...nearMisses(given, fields, fieldKind('mcp'))];
  throw faults.length === 1 ? new InvalidRequestError(first.message) : InvalidRequestError.naming(faults);
}
