import { CrashLoopingRuns } from '../runtime/ownership/crash-looping-runs.js';
import { DueRuns } from '../runtime/ownership/due-runs.js';
import { Ownership } from '../runtime/ownership/ownership.js';
import { Recovery } from '../runtime/ownership/recovery.js';
import { StalledRuns } from '../runtime/ownership/stalled-runs.js';
import { StoreGuard } from '../runtime/ownership/store-guard.js';
import { wakerOf } from '../runtime/ownership/waker.js';
import { WallClockWatch } from '../runtime/ownership/wall-clock-watch.js';
import type { RunRooms } from './requests.js';

export type OwnershipRoom = ReturnType<typeof assembleOwnership>;

/** Which runs are this process's: they are taken over, woken when they are due, found when they stall. */
export function assembleOwnership({ ports, units, mailbox, requests }: RunRooms) {
  const { options, driver, watch, isClosing } = ports;
  const { store, clock, logger } = options;
  const { waitingForUnits, has } = units;
  const { live, ownership, children } = mailbox;
  const { completions } = requests;
  const { owns } = ownership;
  const crashLooping = new CrashLoopingRuns({ store, clock, logger });
  const due = new DueRuns({
    store,
    clock,
    logger,
    shards: () => owner.ownShards(),
    isAlone: driver.isAlone,
    wake: wakerOf({ live, clock, logger, ownership, crashLooping, isClosing }),
  });
  const recovery = new Recovery({
    store,
    live,
    clock,
    logger,
    waitingForUnits,
    crashLooping,
    owns,
    isClosing,
  });
  const stalled = new StalledRuns({
    store,
    live,
    clock,
    logger,
    shards: () => owner.ownShards(),
    owns,
    hasTakenOver: () => owner.hasTakenOver,
    has,
    awaitsUnit: (runId) => waitingForUnits.has(runId),
  });
  const owner: Ownership = new Ownership({
    driver,
    store,
    live,
    due,
    recovery,
    crashLooping,
    clock,
    logger,
    isClosing,
    handOverMs: options.shutdownGraceMs,
    moved: (isMoved) => completions.moved(isMoved),
    awaited: () => completions.waitedRuns(),
    // The process that appended has notified all others, though whoever waits here may have missed it.
    changed: (run) => {
      completions.changed(run);
      watch.announce({ runId: run.runId, seq: run.durable.seq });
      children.movedElsewhere(run);
    },
  });
  return {
    crashLooping,
    due,
    recovery,
    stalled,
    owner,
    guard: new StoreGuard(store, clock, logger),
    wallClock: new WallClockWatch(clock, logger),
  };
}
