/** Where one `uses` name of a workflow lives (interface, section 2). */
export interface HttpBinding {
  readonly type: 'http';
  /** Gets the POST calls of the unit. */
  readonly endpoint: string;
  /** Sent to the unit; `${secret:NAME}` stands for a secret of the service. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The longest that one attempt may take. */
  readonly timeoutMs?: number;
}

/** By `uses` name. */
export type UsesBindings = Readonly<Record<string, HttpBinding>>;
