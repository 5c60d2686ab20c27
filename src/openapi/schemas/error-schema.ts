import { ANY_OBJECT, namedSchema, objectOf, TEXT } from '../schema-class.js';

export const ERROR_FIELDS = {
  error: { type: 'string', description: 'Everything that is wrong, one fault a line, and what to do' },
  code: { type: 'string', description: 'Stable: what programs decide by' },
  type: { type: 'string', description: 'The class, where the interface shows it' },
  details: { type: 'array', items: ANY_OBJECT, description: 'What `error` says as objects, at most 100' },
  detail: { ...TEXT, description: 'A second sentence' },
};
export const OPTIONAL_ERROR_FIELDS = ['type', 'details', 'detail'];

/** The body of every error response. */
export const ErrorSchema = namedSchema('Error', objectOf(ERROR_FIELDS, OPTIONAL_ERROR_FIELDS));
