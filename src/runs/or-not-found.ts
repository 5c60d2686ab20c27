import { NoCheckpointError, UnknownRunError } from '../errors/run-errors.js';
import { NotFoundError } from '../errors/request-errors.js';

/** What is unknown is a fault of the service when it was to be steered (500), and not there when it is read (404). */
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
