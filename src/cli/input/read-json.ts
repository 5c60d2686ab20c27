import { messageOf } from '../../errors/flowgate-error.js';
import { UsageError } from '../command-errors.js';
import { readText, STDIN } from './read-text.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** `--input`: JSON, `@file`, or `-` for stdin; absent: nothing. Throws a `UsageError` for what is no JSON object. */
export async function readInput(given: string | undefined): Promise<JsonObject> {
  if (given === undefined) return {};
  if (given === STDIN) return jsonObject(await readText(STDIN), '--input from stdin');
  if (given.startsWith('@')) return readJsonObject(given.slice(1));
  return jsonObject(given, '--input');
}

export async function readJsonObject(path: string): Promise<JsonObject> {
  return jsonObject(await readText(path), path);
}

function jsonObject(text: string, name: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(
      `${name} is not JSON (${messageOf(error)}): write an object such as {"name": "Ada"}.`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${name} is no JSON object: write one such as {"name": "Ada"}.`);
  return value as JsonObject;
}
