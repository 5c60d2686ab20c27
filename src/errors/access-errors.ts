import { FlowgateError } from './flowgate-error.js';

/** Nobody knows who is asking. It says the same whatever is wrong, so that nothing is learned by trying. */
export class UnauthorizedError extends FlowgateError {
  readonly code = 'unauthorized';

  /** `reason`: for the log; it never holds the credentials. */
  constructor(readonly reason: string) {
    super((words) => `This needs a valid key or token: ${words.token}`);
  }
}

/** It is known who is asking, and they may not do this. */
export class ForbiddenError extends FlowgateError {
  readonly code = 'forbidden';

  constructor(
    readonly permission: string,
    /** Null: all. */
    readonly namespace: string | null,
  ) {
    const where = namespace === null ? 'in all namespaces (*)' : `in the namespace ${namespace}`;
    super(`This needs the permission ${permission} ${where}: ask whoever manages access for it`, {
      details: [{ permission }],
    });
  }
}

/** A namespace that is not granted, whether it is there or not. */
export class ForeignNamespaceError extends FlowgateError {
  readonly code = 'forbidden';

  constructor(namespace: string) {
    super((words) => `Nothing is granted in the namespace ${namespace}: ${words.grantedNamespaces}`);
  }
}

/** The owner has sent as many requests as they may for now. */
export class TooManyRequestsError extends FlowgateError {
  readonly code = 'too-many-requests';
  override readonly retryable = true;

  constructor(
    perSecond: number,
    /** When the next one is taken. */
    readonly retryAfterSeconds: number,
  ) {
    super(
      ({ setting }) =>
        `${perSecond} requests a second are taken of one owner: send fewer at once, or raise ${setting('FLOWGATE_MAX_REQUESTS_PER_OWNER')}`,
    );
  }
}

/** Who is asking, or what they may do, cannot be found out at the moment. */
export class AuthUnavailableError extends FlowgateError {
  readonly code = 'auth-unavailable';
  override readonly retryable = true;

  constructor(what: string, options: { readonly cause?: unknown } = {}) {
    super(`${what} cannot be asked at the moment: try again`, options);
  }
}

/** What the principal may do was changed while the request came, and some of it was checked before: nothing was done. */
export class ChangedGrantsError extends FlowgateError {
  readonly code = 'auth-unavailable';
  override readonly retryable = true;

  constructor() {
    super('What you may do was changed while the body came: send the request again');
  }
}

/** There are as many live keys as may be. */
export class KeysFullError extends FlowgateError {
  readonly code = 'keys-full';

  constructor(most: number, ofOwner: boolean) {
    super(`There are ${most} keys${ofOwner ? ' of this owner' : ''}: revoke one that is not needed any more`);
  }
}

/** A key that is not there, or is somebody else's. */
export class UnknownKeyError extends FlowgateError {
  readonly code = 'unknown-key';

  constructor(id: string) {
    super((words) => `There is no key ${id}: ${words.keys}`);
  }
}
