/** One run of `startBatch`. */
export interface BatchedStart<Input extends object = object> {
  /** The first keys of its shared state. Default: none. */
  readonly input?: Input | undefined;
  /** By which lists find the run, as of a start by itself. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * The same key with the same start is carried out once, in a batch or by itself. Default: one that the client makes for
   * the call and keeps over its tries.
   */
  readonly idempotencyKey?: string | undefined;
}
