import { specTypeSchemas } from '@modelcontextprotocol/client';
import { Slice } from '../../../../scheduling/slice.js';
import { responseYielder } from '../../../http/yielders.js';
import { SAID_BY_TOOL, valuesIn } from './exceeded-message-limit.js';

const MAX_BLOCKS = 10_000;
/** The values of one block, which is validated without yielding. */
const MAX_BLOCK_VALUES = 1_000;

const BLOCK = specTypeSchemas.ContentBlock['~standard'];

type Fields = Readonly<Record<string, unknown>>;

/** The tool's content, taken out of the result, and the result without it; or why it cannot be used. */
export type TakenOut = { readonly said: Fields; readonly rest: Fields } | { readonly problem: string };

/**
 * Takes the tool's content out of a result. The MCP client gets the rest, with empty values in its place: it would validate
 * all of the content at once, twice, record each fault and make a copy. Here validation ends with the first fault.
 */
export async function takenOut(result: Fields): Promise<TakenOut> {
  const said: Record<string, unknown> = {};
  const rest: Record<string, unknown> = { ...result };
  for (const name of SAID_BY_TOOL) {
    const value = result[name];
    if (typeof value !== 'object' || value === null) continue;
    rest[name] = Array.isArray(value) ? [] : {};
    said[name] = value;
  }
  const { content } = said;
  if (!Array.isArray(content)) return { said, rest };
  const blocks = await blocksOf(content);
  if (typeof blocks === 'string') return { problem: blocks };
  return { said: { ...said, content: blocks }, rest };
}

async function blocksOf(content: readonly unknown[]): Promise<readonly unknown[] | string> {
  if (content.length > MAX_BLOCKS)
    return `answer holds more than ${MAX_BLOCKS} items of content: say less, or say it as structuredContent`;
  const blocks: unknown[] = [];
  const slice = new Slice(responseYielder);
  for (const [index, item] of content.entries()) {
    if (valuesIn(item, MAX_BLOCK_VALUES) > MAX_BLOCK_VALUES)
      return `answer holds more than ${MAX_BLOCK_VALUES} values in content[${index}]: say it as structuredContent`;
    const checked = BLOCK.validate(item);
    if (checked instanceof Promise || checked.issues !== undefined)
      return `the server does not answer as one of MCP: content[${index}] is no text, image, audio, resource or link to one`;
    blocks.push(checked.value);
    if (slice.isOver) await slice.next();
  }
  return blocks;
}
