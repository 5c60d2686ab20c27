/** The command line cannot be used as it is written. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A signal asks the command to end. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(readonly exitCode: number) {
    super('Interrupted.');
  }
}
