import type { HttpBinding } from '../../ports/http-binding.js';
import { faultsOfHeaders } from './binding-headers.js';
import { problemOfEndpoint } from './endpoint.js';

export interface BindingFault {
  /** Such as `bindings["acme.x"].endpoint`. */
  readonly path: string;
  /** A sentence that begins with the path; it never holds an address, a header's value or a secret. */
  readonly message: string;
}

export type ParsedBindings =
  /** By `uses` name, in the order given. */
  | { readonly ok: true; readonly bindings: ReadonlyMap<string, HttpBinding> }
  /** At least one, at most 100. */
  | { readonly ok: false; readonly faults: readonly BindingFault[] };

const MAX_BINDINGS = 10_000;
const MAX_FAULTS = 100;
const MAX_NAME_LENGTH = 256;
const MAX_SECRET_LENGTH = 1024;
const MAX_TIMEOUT_MS = 86_400_000;
const FIELDS = ['type', 'endpoint', 'headers', 'callback', 'signingSecret', 'timeoutMs'];

/** Reads the `bindings` of a from-yaml request as they came. Absent or null: none. */
export function parseBindings(value: unknown): ParsedBindings {
  if (value === undefined || value === null) return { ok: true, bindings: new Map() };
  if (!isRecord(value)) return { ok: false, faults: [fault('bindings', 'must be an object')] };
  const entries = Object.entries(value);
  if (entries.length > MAX_BINDINGS) {
    return { ok: false, faults: [fault('bindings', `must be at most ${MAX_BINDINGS} bindings`)] };
  }
  const bindings = new Map<string, HttpBinding>();
  const faults: BindingFault[] = [];
  for (const [name, given] of entries) {
    const found = faultsOfBinding(pathOf(name), name, given);
    if (found.length === 0) bindings.set(name, bindingOf(given as Readonly<Record<string, unknown>>));
    faults.push(...found);
    if (faults.length >= MAX_FAULTS) break;
  }
  return faults.length === 0 ? { ok: true, bindings } : { ok: false, faults: faults.slice(0, MAX_FAULTS) };
}

/** What the contract allows but this version cannot do yet; empty when every binding can be used. */
export function unsupportedFields(bindings: ReadonlyMap<string, HttpBinding>): readonly BindingFault[] {
  const faults: BindingFault[] = [];
  for (const [name, { callback, signingSecret }] of bindings) {
    const used = { callback: callback, signingSecret: signingSecret !== null };
    for (const [field, isUsed] of Object.entries(used)) {
      if (isUsed) faults.push(fault(`${pathOf(name)}.${field}`, 'is not supported yet; leave it out'));
    }
  }
  return faults.slice(0, MAX_FAULTS);
}

function faultsOfBinding(path: string, name: string, given: unknown): readonly BindingFault[] {
  if (name === '' || name.length > MAX_NAME_LENGTH || name === '__proto__' || /\p{Cc}/u.test(name)) {
    return [
      fault(
        path,
        `must be named by a \`uses\` of 1 to ${MAX_NAME_LENGTH} characters without control characters`,
      ),
    ];
  }
  if (!isRecord(given)) return [fault(path, 'must be an object')];
  const problems: readonly (readonly [field: string, problem: string | null])[] = [
    ['type', given['type'] === 'http' ? null : 'must be "http"'],
    ['endpoint', problemOfEndpoint(given['endpoint'])],
    ['callback', problemOfCallback(given['callback'] ?? null)],
    ['signingSecret', problemOfSecret(given['signingSecret'] ?? null)],
    ['timeoutMs', problemOfTimeout(given['timeoutMs'] ?? null)],
  ];
  const faults: BindingFault[] = [];
  for (const [field, problem] of problems) {
    if (problem !== null) faults.push(fault(`${path}.${field}`, problem));
  }
  for (const { name: header, problem } of faultsOfHeaders(given['headers'] ?? {})) {
    faults.push(fault(header === null ? `${path}.headers` : `${path}.headers[${quoted(header)}]`, problem));
  }
  for (const field of Object.keys(given)) {
    if (FIELDS.includes(field)) continue;
    faults.push(fault(`${path}[${quoted(field)}]`, `is not a field of a binding; use ${FIELDS.join(', ')}`));
    if (faults.length >= MAX_FAULTS) break;
  }
  return faults;
}

function problemOfCallback(callback: unknown): string | null {
  return callback === null || typeof callback === 'boolean' ? null : 'must be true or false';
}

function problemOfSecret(secret: unknown): string | null {
  if (secret === null) return null;
  if (typeof secret === 'string' && secret.length > 0 && secret.length <= MAX_SECRET_LENGTH) return null;
  return `must be a string of 1 to ${MAX_SECRET_LENGTH} characters`;
}

function problemOfTimeout(timeoutMs: unknown): string | null {
  if (timeoutMs === null) return null;
  if (Number.isInteger(timeoutMs) && (timeoutMs as number) >= 1 && (timeoutMs as number) <= MAX_TIMEOUT_MS)
    return null;
  return `must be a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`;
}

/** Only for a binding without a fault. */
function bindingOf(given: Readonly<Record<string, unknown>>): HttpBinding {
  return Object.freeze({
    type: 'http',
    endpoint: given['endpoint'] as string,
    headers: Object.freeze({ ...(given['headers'] as Readonly<Record<string, string>> | null) }),
    callback: given['callback'] === true,
    signingSecret: (given['signingSecret'] as string | null | undefined) ?? null,
    timeoutMs: (given['timeoutMs'] as number | null | undefined) ?? null,
  });
}

function fault(path: string, problem: string): BindingFault {
  return { path, message: `${path} ${problem}` };
}

function pathOf(name: string): string {
  return `bindings[${quoted(name)}]`;
}

function quoted(key: string): string {
  return JSON.stringify(key.length > 100 ? `${key.slice(0, 99)}…` : key);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
