/** The workflows that one module of the host provides. */
export interface FeatureOptions {
  /**
   * Each is a document as text (it has a line break, or begins with `{`), as an object, or the path of a file. A
   * relative path starts at the folder in which the process runs; a `file:` URL does not depend on that.
   */
  readonly workflows: readonly (string | URL | object)[];
  /** The namespace in which they are registered, and call one another. Default: `default`. */
  readonly namespace?: string;
  /** The endpoints of these workflows' units that are not code of this process (interface, UsesBindings). */
  readonly bindings?: Readonly<Record<string, unknown>>;
  /** The `name` of the FlowgateModule that the workflows are for. Default: the one without a name. */
  readonly name?: string;
}

/** A feature and its name in errors. */
export interface Feature extends FeatureOptions {
  readonly of: string;
}
