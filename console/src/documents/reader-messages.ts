import type { JsonValue } from '../../../clients/typescript/src/types/json.js';
import type { TextReading } from './text-reading.js';

/** What the reader is asked: the document alone, or all that can be said of a text while it is written. */
export interface ReaderQuestion {
  readonly id: number;
  readonly yaml: string;
  readonly wants: keyof ReaderAnswers;
}

/** What it answers, by what is wanted. */
export interface ReaderAnswers {
  /** Null: the text is no YAML that a service takes. */
  readonly document: JsonValue | null;
  readonly reading: TextReading;
}

export interface ReaderAnswer {
  readonly id: number;
  readonly answer: ReaderAnswers[keyof ReaderAnswers];
}
