import { FlowgateError } from './flowgate-error.js';

/** The environment holds settings that cannot be used. The service does not start. */
export class ConfigError extends FlowgateError {
  readonly code = 'config';

  constructor(faults: readonly { readonly variable: string; readonly message: string }[]) {
    super(faults.map(({ message }) => message).join('\n'), {
      details: faults.map((fault) => ({ ...fault })),
    });
  }
}

/** Something that a host application gave Flowgate cannot be used. The application does not start. */
export class SetupError extends FlowgateError {
  readonly code = 'setup';

  /** Each fault a sentence, or several lines, that end with what to do; at least one. */
  constructor(faults: readonly string[], options: { readonly cause?: unknown } = {}) {
    super(faults.join('\n'), { ...options, details: faults.map((message) => ({ message })) });
  }
}

/** The service cannot be loaded, because packages that it needs are missing. */
export class MissingPackagesError extends FlowgateError {
  readonly code = 'missing-packages';

  /** `names`: the missing packages, as npm takes them. `setting`: the setting that needs them; null: every start does. */
  constructor(names: readonly string[], setting: string | null = null) {
    const service = setting === null ? 'The service' : `${setting} is set: the service then`;
    super(
      `${service} needs ${names.join(', ')}, not found beside flowgate: run \`npm install ${names.join(' ')}\`, or, in no ` +
        `project, \`npx -p flowgate -p ${names.join(' -p ')} flowgate serve\`.`,
    );
  }
}

/** The service takes no new runs any more. */
export class ShuttingDownError extends FlowgateError {
  readonly code = 'shutting-down';
  override readonly retryable = true;

  constructor() {
    super('The service is shutting down: try again once it is back');
  }
}

/** The storage cannot serve: a full disk, a damaged file, a folder in use. The message says what to do. */
export class StoreError extends FlowgateError {
  readonly code = 'store';
  /** The same request would fail however often it is tried: it is too large, or the store cannot hold it. */
  readonly permanent: boolean;
  override readonly retryable: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly permanent?: boolean } = {}) {
    super(message, options);
    this.permanent = options.permanent ?? false;
    this.retryable = !this.permanent;
  }
}

/** The file system does not respond. A thread of this process waits for it, and would delay the exit, too. */
export class SilentDiskError extends StoreError {
  constructor(
    message = 'The file system of the data folder does not answer: check the disk or the network that it is on, or name another folder',
  ) {
    super(message);
  }
}

/** A stored event is of a type or version that this build does not know: it was written by a newer one. */
export class UnreadableEventError extends FlowgateError {
  readonly code = 'unreadable-event';
}

/** Stored data is encrypted with a key that this process does not have. */
export class SealedError extends FlowgateError {
  readonly code = 'sealed';

  constructor() {
    super(
      'What is stored is encrypted with another key: start with the FLOWGATE_ENCRYPTION_KEY it was stored with',
    );
  }
}

/** More work of one kind is waiting than is allowed. */
export class BusyError extends FlowgateError {
  readonly code = 'busy';
  override readonly retryable = true;

  /** `what` names the part that is busy: `document compiler`. */
  constructor(what: string) {
    super(`The ${what} has more to do than it may put off: try again later`);
  }
}

/** As many runs of the namespace are open as may be. */
export class NamespaceFullError extends FlowgateError {
  readonly code = 'namespace-full';
  override readonly retryable = true;

  constructor(namespace: string, most: number) {
    super(
      ({ setting }) =>
        `${most} runs of the namespace ${namespace} are open, and no more may be: let some end, cancel what is not needed, or raise ` +
        setting('FLOWGATE_MAX_OPEN_RUNS_PER_NAMESPACE'),
    );
  }
}

/** The registry has no capacity for another workflow, or for another version of one. The message says how to make some. */
export class RegistryFullError extends FlowgateError {
  readonly code = 'registry-full';
}
