/** How a `uses` name is reached over HTTP (the interface's UsesBindings, and our optional fields). */
export interface HttpBinding {
  readonly type: 'http';
  /** An absolute http or https URL. */
  readonly endpoint: string;
  /** Secret as a whole: they appear in no record, message, log or error. */
  readonly headers: Readonly<Record<string, string>>;
  /** True: a 202 means that the answer comes later. Default false. */
  readonly callback: boolean;
  /** Secret. Null: requests are not signed. */
  readonly signingSecret: string | null;
  /** Bounds one attempt, in ms, 1 to 86,400,000, beside the unit's own time-out. Null: only that one. */
  readonly timeoutMs: number | null;
}
