/** The base of every error that the client makes; what it says names no header's value. */
export abstract class FlowgateClientError extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
  }
}
