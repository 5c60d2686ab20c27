import { ERROR_FIELDS, OPTIONAL_ERROR_FIELDS } from './error-schema.js';
import { RunRecordSchema } from './run-schemas.js';
import { namedSchema, objectOf, refTo } from '../schema-class.js';

const RefusedStartSchema = namedSchema(
  'RefusedStart',
  objectOf(
    {
      ...ERROR_FIELDS,
      status: { type: 'integer', description: 'Of the response that this start alone would have got' },
    },
    OPTIONAL_ERROR_FIELDS,
  ),
);

/** The response to a batch of starts. */
export const StartedBatchSchema = namedSchema(
  'StartedBatch',
  objectOf({
    runs: {
      type: 'array',
      items: { anyOf: [refTo(RunRecordSchema), refTo(RefusedStartSchema)] },
      description:
        'As many as were sent, in their order: the record of each run, as a start without `sync` answers it, or why it was refused, with a `status`, which is a number there and a text in a record',
    },
  }),
  [RunRecordSchema, RefusedStartSchema],
);
