import type { ClockObservation } from '../engine/drivers/postgres/database-clock.js';
import type { Query } from '../storage/postgres/database/database.js';
import { numberOf } from '../storage/postgres/database/columns.js';

const READ_TIME = 'SELECT extract(epoch FROM pg_catalog.clock_timestamp())::float8 * 1000 AS ms';

/** The database's time, before anything is scheduled by it: whatever was set by a wrong clock would fire at a wrong time. */
export async function readTime(query: Query): Promise<ClockObservation> {
  const sentAt = performance.now();
  const [row = {}] = await query(READ_TIME);
  return { databaseMs: numberOf(row, 'ms'), roundTripMs: performance.now() - sentAt };
}
