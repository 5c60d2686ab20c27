import type { RespondOptions, RunBudget } from '../options.js';
import { checkLimit } from './limits.js';

const MAX_TOP_K = 100;
const MAX_COST = 1e15;
/** A surrogate without its other half: no UTF-8 and no address can hold it. */
const HALF_A_CHARACTER = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

export function checkId(name: string, id: unknown): asserts id is string {
  if (typeof id !== 'string' || id === '') throw new TypeError(`${name} must be a text that is not empty`);
  if (HALF_A_CHARACTER.test(id)) throw new TypeError(`${name} holds half of a character: send it whole`);
}

export function checkRun(workflowId: unknown, runId: unknown): void {
  checkId('workflowId', workflowId);
  checkId('runId', runId);
}

export function checkInput(input: unknown, name = 'input'): asserts input is object {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new TypeError(`${name} must be an object: its keys are keys of the shared state`);
  }
}

export function checkFlag(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean') throw new TypeError(`${name} must be true or false`);
}

export function checkText(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'string') throw new TypeError(`${name} must be a text`);
}

export function checkDecision(
  approved: unknown,
  responder: unknown,
  { gateId, comment }: RespondOptions,
): void {
  if (typeof approved !== 'boolean') {
    throw new TypeError('approved must be true or false: true approves, false rejects');
  }
  checkName('responder', responder);
  checkText('comment', comment);
  if (comment !== undefined && comment.length > 10_000) {
    throw new TypeError('comment must have at most 10,000 characters');
  }
  if (gateId !== undefined && !(Number.isSafeInteger(gateId) && gateId >= 1)) {
    throw new TypeError('gateId must be a whole number of at least 1');
  }
}

/** Of somebody, for audit. */
export function checkName(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '' || value.length > 256) {
    throw new TypeError(`${name} must be a text of 1 to 256 characters`);
  }
}

/** A copy with what it names alone. */
export function checkedBudget(budget: unknown): RunBudget | undefined {
  if (budget === undefined || budget === null) return undefined;
  if (typeof budget !== 'object' || Array.isArray(budget)) {
    throw new TypeError('budget must be an object: { maxTokens, maxCost }');
  }
  const { maxTokens, maxCost, ...others } = budget as { readonly [name: string]: unknown };
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new TypeError(`${other} is no field of budget: it has maxTokens and maxCost`);
  }
  if (!isLeftOut(maxTokens) && !(Number.isSafeInteger(maxTokens) && (maxTokens as number) >= 0)) {
    throw new TypeError('budget.maxTokens must be a whole number of at least 0');
  }
  if (!isLeftOut(maxCost) && !(typeof maxCost === 'number' && maxCost >= 0 && maxCost <= MAX_COST)) {
    throw new TypeError(`budget.maxCost must be a number from 0 to ${MAX_COST}`);
  }
  return {
    ...(isLeftOut(maxTokens) ? {} : { maxTokens: maxTokens as number }),
    ...(isLeftOut(maxCost) ? {} : { maxCost: maxCost as number }),
  };
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null;
}

/** More than 100 are limited to them, as the service does. */
export function checkedTopK(topK: unknown): number {
  if (!Number.isSafeInteger(topK) || (topK as number) < 1) {
    throw new TypeError('topK must be a whole number of at least 1');
  }
  return Math.min(topK as number, MAX_TOP_K);
}

export function checkPage(after: unknown, limit: unknown): void {
  checkText('after', after);
  checkLimit(limit);
}

/** Also what headers can carry. */
export function checkKey(key: unknown): void {
  if (key !== undefined && !(typeof key === 'string' && /^[\x20-\x7E]{1,256}$/.test(key))) {
    throw new TypeError('idempotencyKey must be 1 to 256 printable ASCII characters');
  }
}
