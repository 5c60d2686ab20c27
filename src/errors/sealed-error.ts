import { FlowgateError } from './flowgate-error.js';

/** Something stored is encrypted, and not with the key that this process has. */
export class SealedError extends FlowgateError {
  readonly code = 'sealed';

  constructor() {
    super(
      'A stored definition is encrypted with another key: start with the FLOWGATE_ENCRYPTION_KEY it was stored with',
    );
  }
}
