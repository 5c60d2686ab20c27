import { Injectable, Logger } from '@nestjs/common';
import { InvalidRequestError } from '../errors/request-errors.js';
import { ShuttingDownError } from '../errors/service-errors.js';
import { HitlService } from '../hitl/hitl.service.js';
import { answerTo } from '../http/error-answer.js';
import { RunsService } from '../runs/runs.service.js';
import { isRecord } from './rpc-request.js';
import type { ToolName } from './tool-definitions.js';

/** Result of `tools/call`; the text is JSON, a RunRecord or `{ "error": … }`. */
export interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
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
  async call(name: ToolName, given: unknown): Promise<ToolResult> {
    try {
      const record = await this.invoke(name, argumentsOf(given));
      return { content: [{ type: 'text', text: JSON.stringify(record) }] };
    } catch (error) {
      if (error instanceof ShuttingDownError) throw error;
      const { body, isFault } = answerTo(error);
      if (isFault) this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
    }
  }

  private invoke(name: ToolName, given: Readonly<Record<string, unknown>>): Promise<unknown> {
    const workflowId = text(given, 'workflowId');
    switch (name) {
      case 'run_workflow':
        return this.runs.start(workflowId, given);
      case 'get_run':
        return this.runs.get(workflowId, text(given, 'runId'));
      case 'resume_run':
        return this.runs.resume(workflowId, text(given, 'runId'), given);
      case 'respond_hitl':
        return this.hitl.respond(workflowId, text(given, 'runId'), given);
    }
  }
}

function argumentsOf(given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined || given === null) return {};
  if (isRecord(given)) return given;
  throw new InvalidRequestError('arguments must be an object');
}

function text(given: Readonly<Record<string, unknown>>, field: string): string {
  const value = Object.hasOwn(given, field) ? given[field] : undefined;
  if (typeof value === 'string') return value;
  throw new InvalidRequestError(`${field} (string) is required`);
}
