/** A JSON value that says more about an error; never a secret, a path of this machine or a stack. */
export type ErrorDetail = Readonly<Record<string, unknown>>;

/** The base of every error that Flowgate throws on purpose. The message ends with what to do. */
export abstract class FlowgateError extends Error {
  /** A stable code for programs. */
  abstract readonly code: string;
  /** True when the same request can succeed later without a change. */
  readonly retryable: boolean = false;
  /** The faults, if there are several. */
  readonly details: readonly ErrorDetail[] | undefined;
  /** A second sentence for people. */
  readonly detail: string | undefined;

  constructor(
    message: string,
    options: {
      readonly cause?: unknown;
      readonly details?: readonly ErrorDetail[];
      readonly detail?: string;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.details = options.details;
    this.detail = options.detail;
  }
}

/** The message of a thrown value, which can be anything. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
