import type { ErrorObject } from 'ajv';
import { amountOf, msOf } from './amount.js';
import { described } from './value-in-words.js';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'a map',
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  null: 'empty',
};

/** `must be a list, not a map: begin each entry with "- "`. */
export function typeRequirement(wanted: unknown, error: ErrorObject): string {
  const types = (Array.isArray(wanted) ? wanted : [wanted]).map(String);
  const names = types.map((type) => TYPE_NAMES[type] ?? type).join(' or ');
  const value: unknown = error.data;
  if (isExpression(error)) return `must be an expression, not ${described(value)}${expressionAdvice(value)}`;
  const isFlow = types[0] === 'string' && types[1] === 'object';
  const advice = isFlow ? flowAdvice(value) : typeAdvice(types, value, error.instancePath);
  return `must be ${names}, not ${described(value)}${advice}`;
}

/** Whether the schema of an expression is the one that complains. */
function isExpression({ schemaPath }: ErrorObject): boolean {
  return schemaPath.endsWith('/$defs/expression/type');
}

function expressionAdvice(value: unknown): string {
  if (typeof value === 'boolean') return `: write it in quotes, "${String(value)}"`;
  if (Array.isArray(value)) return ': write it in quotes, as in "[1, 2]", or name one, as in input.list';
  return ': write what is to be found out, such as state.amount > 100';
}

function flowAdvice(value: unknown): string {
  return Array.isArray(value) ? ': for one unit after the other write { type: sequential, order: […] }' : '';
}

function typeAdvice(types: readonly string[], value: unknown, pointer: string): string {
  const isQuotable = typeof value === 'number' || typeof value === 'boolean';
  if (isQuotable && types.length === 1 && types[0] === 'string')
    return `: write it in quotes, "${String(value)}"`;
  if (types.includes('array') && isMap(value)) return ': begin each entry with "- "';
  if (types.includes('object') && Array.isArray(value))
    return ': write its fields as name: value, without "- "';
  if (types.includes('object') && /\/(?:policy|policyOverrides)\/timeout$/.test(pointer))
    return timeoutAdvice(value);
  if (typeof value !== 'string') return '';
  if (types.includes('integer') || types.includes('number')) return numberAdvice(value, pointer);
  if (types.includes('boolean') && /^(?:yes|no|on|off|true|false)$/i.test(value))
    return ': write true or false, without quotes';
  return pointer === '' && /^[\w./\\ -]+\.ya?ml$/.test(value)
    ? ': this is the name of a file, send the text of it'
    : '';
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberAdvice(text: string, pointer: string): string {
  const amount = amountOf(text);
  if (amount === null) return '';
  if (amount.ms === null) return `: write it without quotes, ${amount.digits}`;
  return pointer.endsWith('Ms') ? `: write milliseconds, ${amount.ms}` : '';
}

/** A length of time where the policy has a map of them. */
function timeoutAdvice(value: unknown): string {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? msOf(value) : null;
  return ms === null ? '' : `: write { unitMs: ${ms} }`;
}
