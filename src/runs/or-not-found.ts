import { NoCheckpointError, UnknownRunError } from '../errors/run-errors.js';
import { asNotFound } from '../errors/request-errors.js';

/** Turns errors about unknown subjects, which are 500 for operations that change something, into 404 for reads. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UnknownRunError || error instanceof NoCheckpointError) throw asNotFound(error);
    throw error;
  }
}
