import { FlowgateApiError } from '../errors/api-error.js';
import { FlowgateUnreachableError } from '../errors/unreachable-error.js';
import type { Try } from './retry.js';

/** Of proxies that sent the request on, and lost the answer. Whoever answers 429 or 503 has not begun. */
const LOST_ON_THE_WAY: readonly number[] = [502, 504];
const MAY_BE_DONE = 'An earlier try of this call was not answered, and may have been carried out';

/**
 * The tries of one call that changes something and has no key: where an answer was lost, the next try is refused although all is
 * done, and nobody can know. `codeOnceDone` is the code of that refusal; it is then told with the doubt.
 */
export class UnansweredTries {
  #isOne = false;

  constructor(private readonly codeOnceDone: string | undefined) {}

  /** The try, as it is told to the caller. */
  noted<T>(tried: Try<T>): Try<T> {
    if (tried.ok) return tried;
    const { error } = tried;
    if (!(error instanceof FlowgateApiError)) {
      this.#isOne ||= error instanceof FlowgateUnreachableError;
      return tried;
    }
    this.#isOne ||= LOST_ON_THE_WAY.includes(error.status);
    const isInDoubt = this.#isOne && this.codeOnceDone !== undefined && error.code === this.codeOnceDone;
    return isInDoubt ? { ...tried, error: new FlowgateApiError(error, { hint: MAY_BE_DONE }) } : tried;
  }
}
