import { messageOf } from '../../errors/flowgate-error.js';
import { UsageError } from '../command-errors.js';
import { readText, STDIN } from './read-text.js';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads `--input`, or the named option: JSON, `@file`, or `-` for stdin. An absent option gives undefined. Throws a
 * `UsageError` for what is not a JSON object.
 */
export async function readInput(given: string | undefined, option = '--input'): Promise<JsonObject> {
  if (given === undefined) return {};
  if (given === STDIN) return jsonObject(await readText(STDIN), `${option} from stdin`);
  if (given.startsWith('@')) return readJsonObject(given.slice(1));
  return jsonObject(given, option);
}

/** As `readInput`, for any JSON value. */
export async function readJsonValue(given: string, option: string): Promise<unknown> {
  if (given === STDIN) return jsonValue(await readText(STDIN), `${option} from stdin`);
  if (given.startsWith('@')) return jsonValue(await readText(given.slice(1)), given.slice(1));
  return jsonValue(given, option);
}

export async function readJsonObject(path: string): Promise<JsonObject> {
  return jsonObject(await readText(path), path);
}

function jsonValue(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    throw new UsageError(
      `${name} is not JSON (${messageOf(error)}): write an object such as {"name": "Ada"}.`,
    );
  }
}

function jsonObject(text: string, name: string): JsonObject {
  const value = jsonValue(text, name);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${name} is no JSON object: write one such as {"name": "Ada"}.`);
  return value as JsonObject;
}
