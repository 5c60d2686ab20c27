/** Something that could be written. */
export interface Suggestion {
  readonly label: string;
  readonly kind: 'key' | 'value' | 'name' | 'function';
  /** In a few words. Empty: nothing. */
  readonly detail: string;
  /** In sentences, of the schema. Empty: nothing. */
  readonly info: string;
  /** What is written. */
  readonly insert: string;
  /** What follows a key: a value in its line, a mapping or a list below it. */
  readonly opens?: 'value' | 'map' | 'list';
}

/** How much is written already, by which the suggestions are filtered, and all that fits. */
export interface Suggestions {
  readonly from: number;
  readonly options: readonly Suggestion[];
}
