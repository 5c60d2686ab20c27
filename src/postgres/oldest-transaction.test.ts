import { RecordingLogger } from '../engine/testing/recording-logger.js';
import { OldestTransaction } from './oldest-transaction.js';

/** Looks at a server whose oldest transaction is the given one; time goes on by as much as is said before each look. */
function lookingOn() {
  const logger = new RecordingLogger();
  let steadyMs = 1_000;
  const oldest = new OldestTransaction(logger, () => steadyMs);
  const look = (afterMs: number, transaction: string | null, pid: number | null = 77): Promise<void> => {
    steadyMs += afterMs;
    return oldest.look(async () => (transaction === null ? [] : [{ transaction, pid }]));
  };
  return { oldest, logger, look };
}

describe('who holds followers up', () => {
  it('is nobody, as long as each look finds another transaction, or none', async () => {
    const { oldest, look } = lookingOn();
    for (const transaction of ['900', '901', null, '901', '902']) {
      await look(5_000, transaction);
      expect(oldest.heldUp).toBeNull();
    }
  });

  it('is named from the second look on that finds the same, with how long that has been so', async () => {
    const { oldest, look } = lookingOn();
    await look(0, '900');
    await look(5_000, '900');
    await look(5_250.4, '900');
    expect(oldest.heldUp).toEqual({ pid: 77, forMs: 10_250 });
    await look(5_000, '907');
    expect(oldest.heldUp).toBeNull();
  });

  it('has no process where the transaction is prepared', async () => {
    const { oldest, look } = lookingOn();
    await look(0, '900', null);
    await look(5_000, '900', null);
    expect(oldest.heldUp).toEqual({ pid: null, forMs: 5_000 });
  });

  it('is logged once for each transaction, when it has been so for half a minute', async () => {
    const { logger, look } = lookingOn();
    for (const transaction of ['900', '950']) {
      await look(0, transaction);
      await look(29_999, transaction);
      await look(1, transaction);
      await look(60_000, transaction);
    }
    const fields = { pid: 77, forMs: 30_000 };
    expect(logger.said).toMatchObject([
      { level: 'warn', fields },
      { level: 'warn', fields },
    ]);
    expect(logger.said).toHaveLength(2);
  });

  it('is not known any more after a look that failed', async () => {
    const { oldest, look } = lookingOn();
    await look(0, '900');
    await look(5_000, '900');
    await expect(oldest.look(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(oldest.heldUp).toBeNull();
  });
});
