import { unreadWords, type UnreadWords } from '../../http/validation/unread-fields.js';

const SYNC = ['wait', 'async', 'block', 'blocking', 'await', 'synchronous', 'waitForCompletion'];
const NO_REASON = ['reason', 'comment', 'message', 'note', 'notes', 'cause'];

/** Fields that clients send with a start although they are not read. */
export const START_WORDS = unreadWords([
  [SYNC, 'for an answer once the run has stopped send "sync": true'],
  [
    [
      'data',
      'payload',
      'body',
      'args',
      'arguments',
      'params',
      'parameters',
      'variables',
      'vars',
      'values',
      'state',
      'context',
    ],
    'what a run works with is its input: send it as "input": { … }',
  ],
  [['tags', 'metadata', 'annotations'], 'what a run is found by later is "labels": { name: text }'],
  [
    ['version', 'definitionHash', 'hash'],
    'a run takes the version that is registered; a fork can take that of its source',
  ],
  [
    ['runId', 'id'],
    'the service gives the id; to start once however often it is asked, send the header Idempotency-Key',
  ],
  [['timeout', 'timeoutMs', 'deadline'], 'the document says it: spec.policy.timeout.workflowMs'],
  [['callback', 'callbackUrl', 'webhook'], 'nobody is called back: read the run, or stream its events'],
  [
    ['delay', 'delayMs', 'startAt', 'schedule', 'cron'],
    'the run begins now: a builtin.wait in the document can wait',
  ],
  [['reason', 'priority', 'parentRunId', 'parent'], 'a start has no such thing; labels can say it'],
]);

/** The same of a start in a batch, where some of them mean something else. */
export const BATCHED_START_WORDS: UnreadWords = new Map([
  ...START_WORDS,
  ...unreadWords([
    [SYNC, 'a batch is answered as its runs begin: read or watch them'],
    [
      ['runId', 'id', 'requestId'],
      'the service gives the id; to start once however often it is asked, send an "idempotencyKey"',
    ],
  ]),
]);

/** The warning for every other field of a start that gives no `input`. */
export const START_WITHOUT_INPUT =
  'what a run works with stands under input, and this start gives none: send { "input": { … } }';

export const RESUME_WORDS = unreadWords([
  [
    ['input', 'data', 'payload', 'state', 'values', 'output', 'patch'],
    'a resume gives a run nothing to work with: to change its state or its input, fork it',
  ],
  [['checkpoint', 'checkpointId', 'from', 'seq', 'toSeq'], 'a checkpoint is named by "snapshotId"'],
  [['maxTokens', 'maxCost', 'limit'], 'a new budget is "budget": { "maxTokens": …, "maxCost": … }'],
  [['approved', 'decision'], 'a gate is decided at …/hitl'],
  [
    [...SYNC, 'sync'],
    'a resume is answered once the run stops again, or after half a minute; for an answer before send "syncUntil": "gate" or "recorded"',
  ],
  [NO_REASON, 'a resume keeps none'],
]);

/** Fields that clients send with a cancel or a pause although they are not read. */
export const STOP_WORDS = unreadWords([
  [NO_REASON, 'only who asks for it is kept, as "by"'],
  [
    ['responder', 'user', 'actor', 'who', 'cancelledBy', 'pausedBy', 'requestedBy'],
    'who asks for it is "by"',
  ],
  [
    ['grace', 'graceMs', 'force', 'immediate', 'now', 'timeout', 'timeoutMs'],
    'how long units may take to end is a setting of the service, FLOWGATE_CANCEL_GRACE_MS',
  ],
  [[...SYNC, 'sync'], 'it always answers once the run has stopped, or after half a minute'],
]);

export const FORK_WORDS = unreadWords([
  [SYNC, 'for an answer once the fork has stopped send "sync": true'],
  [
    ['snapshotId', 'unitId', 'occurrence', 'checkpoint'],
    'where a fork begins is "from": { "snapshotId": … } or { "unitId": … }',
  ],
  [['data', 'payload', 'variables', 'values', 'patch'], 'what changes is "input", "state" or "unitInput"'],
  [['version', 'hash', 'workflowId'], 'which document it goes on by is "definition": "pinned" or "current"'],
  [['tags', 'metadata'], 'what a run is found by later is "labels": { name: text }'],
  [NO_REASON, 'a fork keeps none; labels can say it'],
]);
