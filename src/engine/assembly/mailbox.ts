import { SettingsAtRest } from '../definitions/settings-at-rest.js';
import { ChildStarts } from '../runtime/children/child-starts.js';
import { Children } from '../runtime/children/children.js';
import { Descendants } from '../runtime/children/descendants.js';
import { FamilyOrders } from '../runtime/children/family-orders.js';
import { OrphanedChildren } from '../runtime/children/orphaned-children.js';
import { ParentCache } from '../runtime/children/parent-cache.js';
import { ParentNotifier } from '../runtime/children/parent-notifier.js';
import { InboxBatch } from '../runtime/mailbox/inbox/inbox-batch.js';
import { LiveRuns } from '../runtime/mailbox/live-runs.js';
import type { RunNotifier, RunOwnership, RunShell } from '../runtime/run-shell.js';
import { SliceScheduler } from '../runtime/mailbox/slice-scheduler.js';
import { OpenRuns } from '../runtime/starting/open-runs.js';
import { InFlight } from '../runtime/ownership/in-flight.js';
import type { EnginePorts } from './ports.js';
import type { UnitsRoom } from './units.js';

export type MailboxRoom = ReturnType<typeof assembleMailbox>;

export interface MailboxRoomOptions {
  readonly ports: EnginePorts;
  readonly units: UnitsRoom;
  /** See `RunChanges`. */
  readonly changed: RunNotifier['changed'];
  /** Another process decided on a run of this one. */
  readonly nudged: (runId: string) => void;
  readonly followsDeath: RunOwnership['followsDeath'];
  readonly tenure: RunOwnership['tenure'];
  readonly wakeAt: RunOwnership['wakeAt'];
  /** Wakes the follower of the family log. */
  readonly wakeFamilies: () => void;
}

/** The runs in the memory of this process, and what they do for their parents and children. */
export function assembleMailbox(room: MailboxRoomOptions) {
  const { ports, units, changed, nudged, followsDeath, tenure, wakeAt, wakeFamilies } = room;
  const { options, driver, telemetry, isClosing } = ports;
  const { store, clock, logger, cancelGraceMs } = options;
  const { registry, sealer, calls, has } = units;
  const ownership: RunOwnership = {
    owns: (runId) => driver.owns(runId),
    // A copy that decided while its shard moved to this process wakes the run that is in memory by now.
    nudge: (runId) => {
      if (!driver.owns(runId)) driver.nudge(runId);
      else if (!isClosing()) nudged(runId);
    },
    followsDeath,
    tenure,
    isBarred: (runId) => driver.isBarred?.(runId) ?? false,
    wakeAt,
  };
  const { owns } = ownership;
  const slices = new SliceScheduler();
  const inboxBatch = new InboxBatch();
  const limits = {
    maxStateChars: options.maxStateBytes,
    maxLogChars: options.maxLogBytes,
    maxNesting: options.maxNesting,
  };
  const settings = new SettingsAtRest(sealer);
  const shell: RunShell = {
    store,
    clock,
    logger,
    telemetry,
    slices,
    inboxBatch,
    limits,
    settings,
    ownership,
    units: calls,
    notifier: {
      changed,
      idle: (run) => {
        if (isClosing()) inFlight.leaves(run);
        live.forget(run);
      },
    },
    children: { seeTo: (parent, child, mayBegin) => children.seeTo(parent, child, mayBegin) },
  };
  const live = new LiveRuns(shell, registry, driver.isAlone);
  const inFlight = new InFlight({ live, clock, has, owns });

  const parents = new ParentCache(live, clock);
  const notifier = new ParentNotifier({ parents, clock, logger, isClosing });
  const orphans = new OrphanedChildren({ live, clock, logger, isClosing, cancelGraceMs });
  const orders = new FamilyOrders({ live, parents, notifier, clock, logger, cancelGraceMs, isClosing });
  const openRuns = new OpenRuns({ store, clock, most: options.maxOpenRunsPerNamespace });
  const starts = new ChildStarts({
    store,
    live,
    openRuns,
    registry,
    parents,
    notifier,
    orphans,
    descendants: new Descendants({ store, clock, most: options.maxDescendants }),
    clock,
    logger,
    owns,
    isClosing,
    follow: (parentRunId, child) => orders.follow(parentRunId, child),
  });
  const children = new Children({ starts, notifier, orders, orphans, owns, wake: wakeFamilies });
  return {
    ownership,
    slices,
    inboxBatch,
    limits,
    settings,
    live,
    openRuns,
    inFlight,
    parents,
    notifier,
    orphans,
    orders,
    starts,
    children,
  };
}
