import { specTypeSchemas } from '@modelcontextprotocol/client';
import { yieldToOthers } from '../../../http/yield-to-others.js';
import { SAID_BY_TOOL, valuesIn } from './message-excess.js';

const MAX_BLOCKS = 10_000;
/** Of one block, which is looked at in one go. */
const MAX_BLOCK_VALUES = 1_000;
/** How long blocks are looked at before others have their turn. */
const SLICE_MS = 4;

const BLOCK = specTypeSchemas.ContentBlock['~standard'];

type Fields = Readonly<Record<string, unknown>>;

/** What a tool said, taken out of the result, and the result without it; or why it cannot be used. */
export type TakenOut = { readonly said: Fields; readonly rest: Fields } | { readonly problem: string };

/**
 * Takes out of a result what a tool says. The client of MCP is given the rest, with something empty in its place: it would
 * look at all of it in one go, twice, note each thing that is wrong, and make a copy. Here the first that is wrong is the last.
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
  let turnEnds = performance.now() + SLICE_MS;
  for (const [index, item] of content.entries()) {
    if (valuesIn(item, MAX_BLOCK_VALUES) > MAX_BLOCK_VALUES)
      return `answer holds more than ${MAX_BLOCK_VALUES} values in content[${index}]: say it as structuredContent`;
    const checked = BLOCK.validate(item);
    if (checked instanceof Promise || checked.issues !== undefined)
      return `the server does not answer as one of MCP: content[${index}] is no text, image, audio, resource or link to one`;
    blocks.push(checked.value);
    if (performance.now() < turnEnds) continue;
    await yieldToOthers();
    turnEnds = performance.now() + SLICE_MS;
  }
  return blocks;
}
