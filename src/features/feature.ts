/** What one module of the host brings along. */
export interface FeatureOptions {
  /**
   * Each a document as text (what has a line break, or begins with `{`), as an object, or the path of a file: of one that
   * is not absolute, from the folder in which the process runs; a `file:` URL does not depend on that.
   */
  readonly workflows: readonly (string | URL | object)[];
  /** Where the units of these workflows are called that are no code of this process (interface, UsesBindings). */
  readonly bindings?: Readonly<Record<string, unknown>>;
  /** The `name` of the FlowgateModule that they are for. Default: the one without a name. */
  readonly name?: string;
}

/** A feature with the word by which errors call it. */
export interface Feature extends FeatureOptions {
  readonly of: string;
}
