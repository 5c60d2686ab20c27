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
