import { ANY_OBJECT, INSTANT, namedSchema, objectOf, refTo, TEXT, TEXTS } from '../schema-class.js';
import { OF_DOCUMENT, WARNING_DETAILS, WARNINGS } from './service-schemas.js';

const NEXT = { type: ['string', 'null'], description: '`cursor` of the next page; null at the end' };

const VERSION = {
  definitionHash: TEXT,
  registeredAt: { ...INSTANT, description: 'When it was registered last, in epoch milliseconds' },
  current: { type: 'boolean', description: 'Whether runs start from it now' },
};
const VersionSchema = namedSchema('WorkflowVersion', objectOf(VERSION));

export const WorkflowVersionListSchema = namedSchema(
  'WorkflowVersionList',
  objectOf({ items: { type: 'array', items: refTo(VersionSchema) }, next: NEXT }),
  [VersionSchema],
);

const BINDING = objectOf({
  uses: TEXT,
  origin: { ...TEXT, description: 'Of its endpoint, and nothing more of it' },
  headers: { ...TEXTS, description: 'Their names, and no values' },
});

export const WorkflowVersionDetailsSchema = namedSchema(
  'WorkflowVersionDetails',
  objectOf({
    ...VERSION,
    workflowId: TEXT,
    ...OF_DOCUMENT,
    yaml: { ...TEXT, description: 'The document, as it was registered' },
    inputSchema: {
      ...ANY_OBJECT,
      type: ['object', 'null'],
      description: '`spec.input`; null: any object will do',
    },
    bindings: { type: 'array', items: BINDING, description: 'Where its units are reached now' },
  }),
);

export const WorkflowDiffSchema = namedSchema(
  'WorkflowDiff',
  objectOf({
    text: {
      ...TEXT,
      description:
        'A unified diff of the documents; where that takes more than 2 seconds or 1 MiB, a sentence that says so',
    },
    units: {
      ...objectOf({
        added: { ...TEXTS, description: 'Ids of those that only `to` has' },
        removed: { ...TEXTS, description: 'Ids of those that only `from` has' },
        changed: { ...TEXTS, description: 'Ids of those that differ' },
      }),
      description: 'Which units differ. Another order of keys, and comments, are no difference',
    },
  }),
);

const WHOLE = { type: ['integer', 'null'], minimum: 1 };

export const ValidationSchema = namedSchema(
  'Validation',
  objectOf(
    {
      ok: { type: 'boolean', description: 'Whether it would be registered' },
      workflowId: {
        ...TEXT,
        description: 'The `metadata.id` of the document; absent unless `ok`',
      },
      details: {
        type: 'array',
        description: 'What is wrong, as a registration says it, at most 100; none if `ok`',
        items: objectOf({ path: TEXT, line: WHOLE, column: WHOLE, message: TEXT }),
      },
      warnings: WARNINGS,
      warningDetails: WARNING_DETAILS,
    },
    ['workflowId'],
  ),
);
