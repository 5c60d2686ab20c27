import { InvalidRequestError, type RequestFault } from '../../errors/request-errors.js';
import { fieldKind } from '../../http/identity/request-context.js';
import { instantIn } from '../../http/query/instant.js';
import { nearMisses } from '../../http/validation/near-misses.js';
import { isRecord } from '../json-rpc.js';
import { BUILT_IN_TOOLS, type ToolName } from './tool-definitions.js';

/** The arguments of a tool. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** The arguments of a call; null and absent count as none. */
export function argumentsOf(given: unknown): ToolArguments {
  if (given === undefined || given === null) return {};
  if (isRecord(given)) return given;
  throw new InvalidRequestError('arguments must be an object');
}

/** The value of an optional argument; null: absent. */
export function valueIn(given: ToolArguments, field: string): unknown {
  return Object.hasOwn(given, field) ? (given[field] ?? null) : null;
}

/** The text of an optional argument; null: absent. */
export function textIn(given: ToolArguments, field: string): string | null {
  const value = valueIn(given, field);
  if (value === null || typeof value === 'string') return value;
  throw new InvalidRequestError(`${field} must be a string`);
}

export function flagIn(given: ToolArguments, field: string): boolean | null {
  const value = valueIn(given, field);
  if (value === null || typeof value === 'boolean') return value;
  throw new InvalidRequestError(`${field} must be true or false`);
}

/** A whole number; its bounds are checked where it is used. */
export function wholeNumberIn(given: ToolArguments, field: string): number | null {
  const value = valueIn(given, field);
  if (value === null || Number.isSafeInteger(value)) return value as number | null;
  throw new InvalidRequestError(`${field} must be a whole number`);
}

/** Epoch ms of an instant, as a number or in RFC 3339. */
export function instantOf(given: ToolArguments, field: string): number | null {
  const value = valueIn(given, field);
  const at = typeof value === 'string' ? instantIn(value) : value;
  if (value === null || Number.isSafeInteger(at)) return at as number | null;
  throw new InvalidRequestError(
    `${field} must be an instant, in milliseconds or as RFC 3339 (2026-01-31T12:00:00Z)`,
  );
}

/** An object of texts by name; null: absent. */
export function textsByNameIn(given: ToolArguments, field: string): Readonly<Record<string, string>> | null {
  const value = valueIn(given, field);
  if (value === null) return null;
  if (isRecord(value) && Object.values(value).every((text) => typeof text === 'string')) {
    return value as Readonly<Record<string, string>>;
  }
  throw new InvalidRequestError(`${field} must be an object of strings`);
}

export function misses(given: ToolArguments, known: readonly string[]): readonly RequestFault[] {
  return nearMisses(given, known, fieldKind('mcp'));
}

/** Refuses near misses for a tool whose arguments no service of ours reads. */
export function refuseMisses(given: ToolArguments, name: ToolName): void {
  const { properties = {} } = BUILT_IN_TOOLS.get(name)?.plain.inputSchema ?? {};
  const faults = misses(given, Object.keys(properties));
  if (faults.length > 0) throw InvalidRequestError.naming(faults);
}

type AddressField = 'workflowId' | 'runId';

/** The arguments of tools that are the ids of a path over HTTP; the others are the body. */
export const OF_WORKFLOW: readonly AddressField[] = ['workflowId'];
export const OF_RUN: readonly AddressField[] = ['workflowId', 'runId'];

const NO_ADDRESS = { workflowId: '', runId: '' };

/** The arguments that name the subject of a tool; each is required. */
export function addressIn(
  given: ToolArguments,
  fields: readonly AddressField[],
): Readonly<Record<AddressField, string>> {
  const address = { ...NO_ADDRESS };
  const missing: RequestFault[] = [];
  for (const field of fields) {
    const value = Object.hasOwn(given, field) ? given[field] : undefined;
    if (typeof value === 'string') address[field] = value;
    else missing.push({ path: field, message: `${field} (string) is required` });
  }
  const [first] = missing;
  if (first === undefined) return address;
  const faults = [...missing, ...misses(given, fields)];
  throw faults.length === 1 ? new InvalidRequestError(first.message) : InvalidRequestError.naming(faults);
}
