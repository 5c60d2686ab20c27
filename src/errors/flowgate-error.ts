import { worded, type Surface, type Wording } from './wording.js';

/** A JSON value that says more about an error; never a secret, a path of this machine or a stack. */
export type ErrorDetail = Readonly<Record<string, unknown>>;

/** The words of an error that differ from surface to surface; not a field, so that printing an error does not show them. */
const OPEN = new WeakMap<
  FlowgateError,
  { readonly message: Wording; readonly detail: Wording | undefined }
>();

/**
 * The base of every error that Flowgate throws on purpose. The message ends with what to do, in the words of whoever calls the
 * engine in code; `textOf` has it in those of another surface.
 */
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
    message: Wording,
    options: {
      readonly cause?: unknown;
      readonly details?: readonly ErrorDetail[];
      readonly detail?: Wording;
    } = {},
  ) {
    super(worded(message, 'host'), options.cause === undefined ? undefined : { cause: options.cause });
    const { detail } = options;
    this.name = new.target.name;
    this.details = options.details;
    this.detail = detail === undefined ? undefined : worded(detail, 'host');
    if (typeof message === 'function' || typeof detail === 'function') OPEN.set(this, { message, detail });
  }
}

/** How an error is worded, for another one that says the same. */
export function wordingOf(error: FlowgateError): {
  readonly message: Wording;
  readonly detail: Wording | undefined;
} {
  return OPEN.get(error) ?? error;
}

/** What an error says on a surface. */
export function textOf(
  error: FlowgateError,
  surface: Surface,
): { readonly message: string; readonly detail: string | undefined } {
  const { message, detail } = wordingOf(error);
  return {
    message: worded(message, surface),
    detail: detail === undefined ? undefined : worded(detail, surface),
  };
}

/** The message of a thrown value, which can be anything. What is stored or logged by the service names its settings: `http`. */
export function messageOf(thrown: unknown, surface: Surface = 'host'): string {
  if (thrown instanceof FlowgateError) return textOf(thrown, surface).message;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
