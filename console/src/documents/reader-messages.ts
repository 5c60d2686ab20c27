import type { JsonValue } from '../../../clients/typescript/src/types/json.js';

export interface ReaderQuestion {
  readonly id: number;
  readonly yaml: string;
}

export interface ReaderAnswer {
  readonly id: number;
  /** Null: the text is no YAML that a service takes. */
  readonly document: JsonValue | null;
}
