/** A JSON object that says more: a fault with its `path` and `message`, an open gate, a decision. */
export type ErrorDetail = Readonly<Record<string, unknown>>;
