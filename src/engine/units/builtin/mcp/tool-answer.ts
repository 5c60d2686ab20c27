import type { JsonValue } from '../../../core/json.js';
import type { UnitAnswer } from '../../../ports/unit-executor.js';
import { adoptJson } from '../../../json/adopt-json.js';
import { failedAnswer, interpretAnswer, type Quote } from '../../answer.js';

/** What a tool said, as far as it is looked at. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: unknown }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/**
 * The output of the unit: what the tool told as data, else its text where it said one text and nothing more, else all
 * that it said as a list. A text stays a text, whatever stands in it: the tool that means data has a place for it.
 *
 * A tool that says that it failed has failed, and is not called again: it is its own word that it did nothing.
 */
export function answerOfTool(tool: string, result: ToolResult, quote: Quote): UnitAnswer {
  if (result.isError === true) {
    const said = quote(`the tool ${tool} answered with an error: ${textsOf(result)}`);
    return failedAnswer(said, { retryable: false, outcome: 'refused' });
  }
  return interpretAnswer<JsonValue>({ content: outputOf(result) }, quote, adoptJson);
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
