import { unreadWords } from '../../http/validation/unread-fields.js';

/** Fields that clients send with a decision although they are not read. */
export const DECISION_WORDS = unreadWords([
  [
    ['reason', 'message', 'note', 'notes', 'feedback', 'remark', 'text'],
    'what is kept with a decision is "comment"',
  ],
  [
    ['data', 'payload', 'input', 'output', 'values', 'form', 'fields', 'state', 'patch', 'answer', 'answers'],
    'a decision carries no data: approved, responder and comment are all that units see of it',
  ],
  [
    [
      'by',
      'user',
      'userId',
      'actor',
      'who',
      'approver',
      'approvedBy',
      'approved_by',
      'decidedBy',
      'reviewer',
      'email',
    ],
    'who decides is "responder"',
  ],
  [
    ['decision', 'action', 'reject', 'rejected', 'status', 'outcome', 'verdict'],
    'the decision is "approved": true or false',
  ],
  [
    ['wait', 'async', 'sync', 'block'],
    'a decision is answered once the run stops again, or after half a minute; for an answer before send "syncUntil": "gate" or "recorded"',
  ],
]);
