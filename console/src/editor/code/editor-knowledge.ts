import type { KnownNames } from '../../documents/known-names.js';
import type { Schema } from '../language/schema-walk.js';

/** What the editor knows besides the text. */
export interface EditorKnowledge {
  /** Null: the schema is not there (yet): then nothing is offered. */
  schema(): Schema | null;
  names(): KnownNames;
}
