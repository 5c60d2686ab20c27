import type { RespondOptions, RunBudget } from '../options.js';
import { checkLimit } from './limits.js';
import { REQUESTS } from './request-bounds.js';

const { Keyed, RespondHitl, RunBudget, StopRun } = REQUESTS;
/** Of a person, for audit, by the field that names them. */
const NAMES = { by: StopRun.by, responder: RespondHitl.responder } as const;
const BUDGET_FIELDS = Object.keys(RunBudget);
const MAX_TOP_K = 100;
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

export function checkInput(
  input: unknown,
  name = 'input',
  what = 'its keys are keys of the shared state',
): asserts input is object {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new TypeError(`${name} must be an object: ${what}`);
  }
}

export function checkFlag(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean') throw new TypeError(`${name} must be true or false`);
}

const SYNC_UNTIL: readonly unknown[] = REQUESTS.StartRun.syncUntil.enum;
const ANSWERED_ONCE: readonly unknown[] = REQUESTS.ResumeRun.syncUntil.enum;

export function checkSyncUntil(until: unknown, sync: boolean): void {
  if (until === undefined) return;
  if (!SYNC_UNTIL.includes(until)) throw new TypeError(`syncUntil must be ${SYNC_UNTIL.join(' or ')}`);
  if (!sync) throw new TypeError('syncUntil says when sync is answered: give both, or neither');
}

export function checkAnsweredOnce(until: unknown): void {
  if (until !== undefined && !ANSWERED_ONCE.includes(until)) {
    throw new TypeError(`syncUntil must be one of ${ANSWERED_ONCE.join(', ')}`);
  }
}

export function checkText(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'string') throw new TypeError(`${name} must be a text`);
}

export function checkView(view: unknown): void {
  if (view !== undefined && view !== 'plain' && view !== 'full')
    throw new TypeError("view must be 'plain' or 'full', or left out");
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
  const { maxLength } = RespondHitl.comment;
  if (comment !== undefined && comment.length > maxLength) {
    throw new TypeError(`comment must have at most ${maxLength.toLocaleString('en')} characters`);
  }
  const { minimum } = RespondHitl.gateId;
  if (gateId !== undefined && !(Number.isSafeInteger(gateId) && gateId >= minimum)) {
    throw new TypeError(`gateId must be a whole number of at least ${minimum}`);
  }
}

export function checkName(name: keyof typeof NAMES, value: unknown): void {
  const { minLength, maxLength } = NAMES[name];
  if (typeof value !== 'string' || value.length < minLength || value.length > maxLength) {
    throw new TypeError(`${name} must be a text of ${minLength} to ${maxLength} characters`);
  }
}

/** A copy with what it names alone. */
export function checkedBudget(budget: unknown): RunBudget | undefined {
  if (budget === undefined || budget === null) return undefined;
  if (typeof budget !== 'object' || Array.isArray(budget)) {
    throw new TypeError(`budget must be an object: { ${BUDGET_FIELDS.join(', ')} }`);
  }
  const { maxTokens, maxCost, ...others } = budget as { readonly [name: string]: unknown };
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new TypeError(`${other} is no field of budget: it has ${BUDGET_FIELDS.join(' and ')}`);
  }
  const { maxTokens: tokens, maxCost: cost } = RunBudget;
  // Their most is the largest safe number.
  if (
    !isLeftOut(maxTokens) &&
    !(Number.isSafeInteger(maxTokens) && (maxTokens as number) >= tokens.minimum)
  ) {
    throw new TypeError(`budget.maxTokens must be a whole number of at least ${tokens.minimum}`);
  }
  const isCost = typeof maxCost === 'number' && maxCost >= cost.minimum && maxCost <= cost.maximum;
  if (!isLeftOut(maxCost) && !isCost) {
    throw new TypeError(`budget.maxCost must be a number from ${cost.minimum} to ${cost.maximum}`);
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
export function checkKey(key: unknown, name = 'idempotencyKey'): void {
  const { minLength, maxLength, pattern } = Keyed.idempotencyKey;
  const isKey =
    typeof key === 'string' &&
    key.length >= minLength &&
    key.length <= maxLength &&
    new RegExp(pattern).test(key);
  if (key !== undefined && !isKey) {
    throw new TypeError(`${name} must be ${minLength} to ${maxLength} printable ASCII characters`);
  }
}
