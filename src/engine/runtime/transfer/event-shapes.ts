import type { JsonObject, JsonValue } from '../../core/json.js';
import type { EventBase } from '../../core/log/event-base.js';
import type { RunEvent } from '../../core/log/event.js';
import { problemOfKeys } from '../../core/plan/key-bounds.js';
import { isObject, isText, isWhole } from './json-checks.js';

type Check = (value: JsonValue | undefined) => boolean;
type Fields<E> = { readonly [K in Exclude<keyof E, keyof EventBase | 'type'>]-?: Check };

const MAX_INSTANT = 8.64e15;
/** The longest id or name; what people and units say may be longer. */
const MAX_NAME_CHARS = 1_024;
const MAX_LOCATION_CHARS = 16_384;

const anything: Check = (value) => value !== undefined;
const text: Check = isText;
const name: Check = (value) => isText(value) && value.length <= MAX_NAME_CHARS;
const locationText: Check = (value) => isText(value) && value.length <= MAX_LOCATION_CHARS;
const truth: Check = (value) => typeof value === 'boolean';
const whole: Check = isWhole;
const amount: Check = (value) => typeof value === 'number' && value >= 0;
const object: Check = isObject;
/** Values that are written to the shared state. */
const writes: Check = (value) => isObject(value) && problemOfKeys(value) === null;
/** Epoch ms; back-offs and time-outs are added to it, which may leave a fraction. */
const instant: Check = (value) => typeof value === 'number' && value >= 0 && value <= MAX_INSTANT;
const oneOf =
  (...values: readonly JsonValue[]): Check =>
  (value) =>
    value !== undefined && values.includes(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const ifThere =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && (value as readonly JsonValue[]).every(check);
const shaped =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && faultIn(fields, value) === null;

const actor = shaped({
  id: text,
  owner: orNull(text),
  name: ifThere(text),
  via: oneOf('http', 'mcp', 'in-process', 'engine', 'unknown'),
  auth: oneOf('none', 'host'),
});
const usage = shaped({ tokens: amount, cost: amount });
const budget = shaped({ maxTokens: orNull(amount), maxCost: orNull(amount) });
const location = { path: locationText, scope: locationText };
const outcome = oneOf('refused', 'unknown');
const ofChild = { childId: whole, unitId: name, childRunId: name };

/** What the fields of each type of event hold, in its present version. What is folded is trusted to be of this shape. */
const SHAPES: { readonly [T in RunEvent['type']]: Fields<Extract<RunEvent, { readonly type: T }>> } = {
  'run-started': {
    runId: name,
    namespace: name,
    workflowId: name,
    definitionHash: name,
    input: writes,
    labels: (value) => isObject(value) && Object.values(value).every(isText),
    by: actor,
    origin: shaped({ type: oneOf('client', 'fork', 'schedule', 'bulk', 'child') }),
    parent: orNull(shaped({ runId: name, executionId: whole, depth: ifThere(whole) })),
    deadlineAt: orNull(instant),
  },
  'run-forked': {
    fromRunId: name,
    fromSeq: whole,
    before: ifThere(shaped({ ...location, unitId: name })),
    edits: shaped({
      input: ifThere(oneOf(true)),
      state: ifThere(writes),
      unitInput: ifThere(anything),
      definition: ifThere(name),
      // The gate ids of a fork of a fork are 0 or less.
      pastGates: ifThere(listOf(Number.isSafeInteger)),
    }),
    by: actor,
  },
  'run-imported': { sha256: name, by: actor },
  'unit-scheduled': {
    ...location,
    unitId: name,
    input: ifThere(anything),
    settings: orNull(object),
    key: orNull(whole),
    timeoutMs: amount,
  },
  'unit-attempt-failed': {
    executionId: whole,
    unitId: name,
    attempt: whole,
    error: text,
    outcome,
    retryAt: instant,
  },
  'unit-finished': {
    executionId: whole,
    unitId: name,
    attempt: whole,
    output: anything,
    patch: orNull(writes),
    usage: orNull(usage),
    metadata: orNull(object),
  },
  'unit-failed': {
    executionId: whole,
    unitId: name,
    attempt: whole,
    error: text,
    retryable: truth,
    outcome,
  },
  recovered: { executionIds: listOf(whole) },
  'unit-skipped': { ...location, unitId: name },
  'state-written': { ...location, unitId: name, values: writes },
  'branch-chosen': { ...location, branch: text, source: orNull(name), task: anything },
  'items-opened': { ...location, kind: oneOf('passes', 'delegations'), items: listOf(anything) },
  'condition-read': { ...location, value: truth, iteration: whole, again: truth },
  'branch-closed': {
    scope: locationText,
    error: orNull(text),
    retried: truth,
    failedAt: ifThere(locationText),
  },
  'node-closed': { ...location, writes },
  'gate-opened': {
    ...location,
    unitId: name,
    title: text,
    description: orNull(text),
    payload: anything,
    onReject: oneOf('fail', 'continue'),
  },
  'gate-decided': {
    gateId: whole,
    unitId: name,
    approved: truth,
    responder: text,
    by: actor,
    comment: orNull(text),
    failed: truth,
  },
  'timer-set': { ...location, unitId: name, dueAt: instant },
  'timer-fired': { timerId: whole, unitId: name },
  'child-started': {
    ...location,
    unitId: name,
    workflowId: name,
    childRunId: name,
    key: orNull(whole),
    input: ifThere(anything),
    counted: ifThere(usage),
    toldSeq: ifThere(whole),
  },
  'child-paused': {
    ...ofChild,
    childSeq: ifThere(whole),
    isApart: ifThere(oneOf(true)),
    usage: ifThere(usage),
  },
  'child-went-on': {
    ...ofChild,
    childSeq: ifThere(whole),
    followedSeq: ifThere(whole),
    isStopping: ifThere(oneOf(true)),
    usage: ifThere(usage),
  },
  'child-ended': {
    ...ofChild,
    status: oneOf('completed', 'failed', 'cancelled'),
    output: anything,
    error: orNull(text),
    usage,
    childSeq: whole,
    decided: ifThere(shaped({ approved: truth, responder: name, decidedAt: instant })),
  },
  'child-refused': {
    ...ofChild,
    error: text,
    isKept: ifThere(oneOf(true)),
    again: ifThere(oneOf(true)),
  },
  paused: {
    ...location,
    unitId: name,
    reason: oneOf(
      'before',
      'after',
      'recovery-limit',
      'undecided',
      'limit',
      'crash-limit',
      'requested',
      'budget',
    ),
    executionId: orNull(whole),
    error: ifThere(text),
    by: ifThere(actor),
    graceUntil: ifThere(orNull(instant)),
    orderSeq: ifThere(whole),
  },
  'family-paused': { by: actor },
  'family-resumed': { seenSeq: whole, budget: ifThere(budget), given: ifThere(budget), by: actor },
  'set-aside': { pauseId: whole },
  resumed: {
    pauseId: orNull(whole),
    executionId: orNull(whole),
    wasAside: ifThere(oneOf(true)),
    budget: ifThere(budget),
    by: actor,
  },
  'request-noted': { request: oneOf('resume', 'hitl', 'cancel', 'pause') },
  'budget-exceeded': { executionId: whole, unitId: name, violation: text },
  rewound: { toSeq: whole, budget: ifThere(budget), by: actor },
  rejoined: {},
  'run-completed': {},
  'run-failed': { error: text },
  'cancel-requested': { by: actor, graceUntil: instant },
  'clean-up-started': { path: locationText },
  'run-cancelled': { by: actor },
};

/** The field of the event that does not hold what its type has there; null: all do. Unknown fields are allowed. */
export function faultOfEvent(event: RunEvent): string | null {
  if (!instant(event.at)) return 'at';
  return faultIn(SHAPES[event.type], event as unknown as JsonObject);
}

function faultIn(fields: Readonly<Record<string, Check>>, value: JsonObject): string | null {
  for (const field in fields) if (fields[field]?.(value[field]) !== true) return field;
  return null;
}
