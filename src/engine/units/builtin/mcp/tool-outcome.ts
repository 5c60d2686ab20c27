import type { JsonValue } from '../../../core/json.js';
import type { UnitOutcome } from '../../../ports/unit-executor.js';
import { adoptJson } from '../../../json/adopt-json.js';
import { failedOutcome, interpretResult, type Quote } from '../../outcome.js';

/** The parts of a tool's result that are used. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: unknown }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/**
 * The output of the unit is the tool's structured content, else its text if that is its only content, else all its content
 * as a list. A text stays a text, whatever it holds: a tool that means data has `structuredContent` for it.
 *
 * A tool that reports an error has failed and is not called again: by its own account it did nothing.
 */
export function outcomeOfTool(tool: string, result: ToolResult, quote: Quote): UnitOutcome {
  if (result.isError === true) {
    const said = quote(`the tool ${tool} answered with an error: ${textsOf(result)}`);
    return failedOutcome(said, { retryable: false, outcome: 'refused' });
  }
  return interpretResult<JsonValue>({ content: outputOf(result) }, quote, adoptJson);
}

function outputOf({ content, structuredContent }: ToolResult): JsonValue {
  if (structuredContent !== undefined) return structuredContent as JsonValue;
  const [only] = content;
  if (content.length === 1 && only?.type === 'text' && typeof only.text === 'string') return only.text;
  return content as unknown as JsonValue;
}

function textsOf({ content, structuredContent }: ToolResult): string {
  const texts = content.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? text : [],
  );
  if (texts.length > 0) return texts.join(' ');
  return structuredContent === undefined ? 'it does not say which' : JSON.stringify(structuredContent);
}
