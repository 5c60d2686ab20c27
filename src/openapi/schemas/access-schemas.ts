import { AUDIT_ACTIONS, PERMISSIONS, WAYS_IN } from '../../engine/vocabulary.js';
import { INSTANT, namedSchema, objectOf, orNull, refTo, TEXT, TEXTS } from '../schema-class.js';

const WORKFLOWS = {
  type: ['array', 'null'],
  items: TEXT,
  description: 'Ids, each of which may end in `*`; null: all',
};

export const WhoAmISchema = namedSchema(
  'WhoAmI',
  objectOf({
    auth: {
      enum: ['none', 'key', 'jwt', 'host'],
      description: 'How it is known who is asking; `none`: nobody was asked',
    },
    id: TEXT,
    owner: orNull(TEXT, 'The account; null: none is known'),
    name: orNull(TEXT, 'For people to read'),
    groups: TEXTS,
    expiresAt: orNull(INSTANT, 'Epoch milliseconds; null: it does not expire'),
    grants: {
      type: 'array',
      items: objectOf({
        namespace: { ...TEXT, description: '`*`: each of them, and what belongs to none' },
        permissions: { type: 'array', items: { enum: PERMISSIONS } },
        workflows: WORKFLOWS,
      }),
    },
  }),
);

const KeySchema = namedSchema(
  'ApiKey',
  objectOf({
    id: TEXT,
    owner: TEXT,
    name: orNull(TEXT, 'For people to read'),
    groups: TEXTS,
    grants: {
      type: 'array',
      items: objectOf({ namespace: TEXT, roles: TEXTS, workflows: TEXTS }, ['workflows']),
    },
    madeBy: orNull(TEXT, 'The owner who made it; null: whoever started the service'),
    createdAt: INSTANT,
    expiresAt: INSTANT,
    lastUsedAt: orNull(INSTANT, 'Epoch milliseconds, at most five minutes old; null: never'),
    revokedAt: orNull(INSTANT, 'Epoch milliseconds; null: it was not revoked'),
  }),
);

export const MadeKeySchema = namedSchema(
  'MadeKey',
  objectOf({
    key: refTo(KeySchema),
    secret: { ...TEXT, description: 'What goes behind `Authorization: Bearer`. It is shown this once' },
  }),
  [KeySchema],
);

export const KeyListSchema = namedSchema(
  'KeyList',
  objectOf({
    items: { type: 'array', items: refTo(KeySchema) },
    next: orNull(TEXT, 'The `cursor` of the next page; null: this is the last'),
  }),
  [KeySchema],
);

export const AuditItemSchema = namedSchema(
  'AuditItem',
  objectOf({
    id: { ...TEXT, description: 'Opaque; `Last-Event-ID` of a stream' },
    at: INSTANT,
    action: { enum: AUDIT_ACTIONS, description: 'What was done' },
    namespace: orNull(TEXT, 'Null: it belongs to none'),
    by: {
      ...objectOf({
        id: { ...TEXT, description: 'Of a key its id, of anybody else their name' },
        owner: orNull(TEXT, 'The account; null: the name was only claimed'),
        via: { enum: WAYS_IN },
        auth: { enum: ['none', 'key', 'jwt', 'host'] },
      }),
      type: ['object', 'null'],
      description: 'Who did it; null: the service, or nobody who is known',
    },
    workflowId: orNull(TEXT, 'Which workflow it is about; null: none'),
    runId: orNull(TEXT, 'Which run it is about, also of one that was purged; null: none'),
    seq: orNull({ type: 'integer' }, '`seq` of the event of the run that says so; null: none does'),
    subject: orNull(TEXT, 'The account that it was done to, of a key whose it is; null: none'),
    target: orNull(
      TEXT,
      'The key, run, version or content that it was done to, by its id or hash; null: what the other fields say',
    ),
    facts: {
      type: 'object',
      description: 'What else is known, by names and numbers: never a payload, a comment or a secret',
      additionalProperties: { type: ['string', 'number', 'boolean', 'array'] },
    },
  }),
);

export const AuditListSchema = namedSchema(
  'AuditList',
  objectOf({
    items: { type: 'array', items: refTo(AuditItemSchema) },
    next: orNull(TEXT, 'The `cursor` of the next page; null: this is the last'),
  }),
  [AuditItemSchema],
);
