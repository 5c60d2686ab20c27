/** How a `uses` name is reached over HTTP (the interface's UsesBindings, and our optional fields). */
export interface HttpBinding {
  readonly type: 'http';
  /** An absolute http or https URL. */
  readonly endpoint: string;
  /** Secret as a whole: they appear in no record, message, log or error. */
  readonly headers: Readonly<Record<string, string>>;
  /** True: a 202 means that the result comes later. Default false. */
  readonly callback: boolean;
  /** Secret. Null: requests are not signed. */
  readonly signingSecret: string | null;
  /** Bounds one attempt, in ms, 1 to 86,400,000, next to the unit's own time-out. Null: only the unit's own does. */
  readonly timeoutMs: number | null;
}
