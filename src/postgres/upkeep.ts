import { sleep, type Clock } from '../engine/ports/clock.js';
import type { EngineLogger } from '../engine/ports/logger.js';
import type { RunDriver } from '../engine/ports/run-driver.js';
import { messageOf } from '../errors/flowgate-error.js';
import { readOldestRelease } from '../storage/postgres/schema/migrate.js';
import { keepPartitions } from '../storage/postgres/schema/partitions.js';
import { isOlderRelease } from '../storage/postgres/schema/releases.js';
import { keepStanding } from '../storage/postgres/standing-role.js';
import type { LazyDatabase } from './lazy-database.js';
import type { OldestTransaction } from './oldest-transaction.js';

const PARTITIONS_EVERY_MS = 86_400_000;
/** Something was in the way. */
const PARTITIONS_AGAIN_MS = 3_600_000;
/** Beats come twice a second. */
const LOOK_EVERY_BEATS = 10;

export interface UpkeepOptions {
  readonly database: LazyDatabase;
  readonly driver: RunDriver;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** Looked at as often as the release. */
  readonly oldest: Pick<OldestTransaction, 'look'>;
  /** This release of the package. */
  readonly release: string;
  /** Called once, when the schema has become one that this release may not use. */
  readonly outdated: () => void;
}

/**
 * What the database needs beyond what an engine asks of its ports: two roles, each at one replica, and a look of each replica whether
 * it may still go on.
 */
export class Upkeep {
  private beats = 0;
  private isLooking = false;
  private isOutdated = false;

  constructor(private readonly options: UpkeepOptions) {
    const { driver, database, clock } = options;
    driver.role('standing', (signal) => keepStanding(database.query, clock, signal));
    driver.role('partitions', (signal) => this.keepPartitions(signal));
  }

  /** To be called at each beat of the driver. */
  beaten(): void {
    this.beats += 1;
    if (this.beats % LOOK_EVERY_BEATS !== 0 || this.isLooking || this.isOutdated) return;
    this.isLooking = true;
    void this.look();
  }

  private async keepPartitions(signal: AbortSignal): Promise<void> {
    const { database, clock } = this.options;
    while (!signal.aborted) {
      const isDone = await keepPartitions(await database.open(), signal);
      await sleep(clock, isDone ? PARTITIONS_EVERY_MS : PARTITIONS_AGAIN_MS, signal);
    }
  }

  /** Never rejects. */
  private async look(): Promise<void> {
    const { database, logger, oldest } = this.options;
    try {
      await this.lookAtRelease();
      await oldest.look(database.query);
    } catch (error) {
      // The next look says the same, or what is wrong shows elsewhere.
      logger.debug('It could not be looked whether this release may use the store, and what holds it up', {
        error: messageOf(error),
      });
    }
    this.isLooking = false;
  }

  private async lookAtRelease(): Promise<void> {
    const { database, driver, logger, release, outdated } = this.options;
    const oldest = await readOldestRelease(database.query);
    if (!isOlderRelease(release, oldest)) return;
    this.isOutdated = true;
    logger.error(
      'A newer release has changed the schema of the store: this process gives up its runs, and has to end',
      { release, oldest },
    );
    driver.leave?.();
    outdated();
  }
}
