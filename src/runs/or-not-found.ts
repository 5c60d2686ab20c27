import { NoCheckpointError, UnknownRunError } from '../errors/run-errors.js';
import { NotFoundError } from '../errors/request-errors.js';

/** Turns errors about unknown subjects, which are 500 for operations that change something, into 404 for reads. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UnknownRunError || error instanceof NoCheckpointError) {
      throw new NotFoundError(error.message, { code: error.code, cause: error });
    }
    throw error;
  }
}
