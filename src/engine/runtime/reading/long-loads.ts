import { Semaphore } from '../../scheduling/semaphore.js';

/** At most so many long loads are half built in memory. */
const MOST_AT_ONCE = 2;

/** The log is long, and all slots are taken: nothing of it is to be held until one is free. */
class NotItsTurnError extends Error {
  override readonly name = 'NotItsTurnError';
}

/** Whether a load may continue beyond the first page of a log. Throws a `NotItsTurnError` where it must wait first. */
export type AdmitLong = () => void;

/**
 * Long logs are folded for readers few at a time, in rounds of the namespaces that they are of, and of one in the order in which they
 * were requested. That a log is long shows only
 * when its first page is there: the page is released then, and read again when a slot is free. Short ones never wait.
 */
export class LongLoads {
  private readonly slots = new Semaphore(MOST_AT_ONCE);

  async run<Result>(namespace: string, load: (admit: AdmitLong) => Promise<Result>): Promise<Result> {
    let isAdmitted = false;
    const admit = (): void => {
      if (isAdmitted) return;
      isAdmitted = this.slots.tryAcquire();
      if (!isAdmitted) throw new NotItsTurnError();
    };
    try {
      return await load(admit);
    } catch (error) {
      if (!(error instanceof NotItsTurnError)) throw error;
      await this.slots.acquire({ caller: namespace });
      isAdmitted = true;
      return await load(admit);
    } finally {
      if (isAdmitted) this.slots.release();
    }
  }
}
