import { DefinitionSweep } from '../definitions/definition-sweep.js';
import { familyFollower } from '../runtime/children/family-follower.js';
import { AllEventsStream } from '../runtime/streams/all-events-stream.js';
import { EventPages } from '../runtime/events/event-pages.js';
import { ListQueries } from '../runtime/watched-lists/list-queries.js';
import { ListStream } from '../runtime/watched-lists/list-stream.js';
import { LogTail } from '../runtime/streams/log-tail.js';
import { RunEventReader } from '../runtime/events/run-event-reader.js';
import { RunEventStream } from '../runtime/streams/run-event-stream.js';
import { auditFollower } from '../runtime/followers/audit-follower.js';
import { AuditRetention } from '../runtime/followers/audit-retention.js';
import { memoryFollower } from '../runtime/followers/memory-follower.js';
import { Retention } from '../runtime/followers/retention.js';
import { RunLogger } from '../runtime/run-logger.js';
import { RunObservers } from '../facets/run-observers.js';
import { BackgroundWork } from '../scheduling/background-work.js';
import { processLoad } from '../scheduling/load.js';
import type { RunRooms } from './requests.js';

/**
 * How long what another process appended may wait for a follower that is a role, and is at work in one process at a time. Streams,
 * for which people wait, are woken.
 */
const FOLLOWER_POLL_MS = 1_000;

export type ObservationRoom = ReturnType<typeof assembleObservation>;

/** Who reads what runs did: streams, the followers of the log, and the roles that remove what nobody needs any more. */
export function assembleObservation({ ports, units, mailbox, requests }: RunRooms) {
  const { options, driver, watch, isWatchGiven, audit } = ports;
  const { store, memory, clock, logger } = options;
  const { registry } = units;
  const { inboxBatch, parents, notifier, orphans, orders, starts } = mailbox;
  const { reader } = requests;
  const pollMs = driver.isAlone ? null : FOLLOWER_POLL_MS;
  const loadOfProcess = () => processLoad(inboxBatch);
  const memories = memoryFollower({
    store,
    memory,
    clock,
    logger,
    load: loadOfProcess(),
    pollMs,
    planOf: async ({ namespace, workflowId, definitionHash: hash }) => {
      const definition = await registry.pinnedTo({ namespace, workflowId, hash }).catch(() => null);
      return definition?.plan ?? null;
    },
  });
  const audits =
    audit === null ? null : auditFollower({ store, audit, clock, logger, load: loadOfProcess(), pollMs });
  const families = familyFollower({
    store,
    parents,
    notifier,
    orphans,
    orders,
    starts,
    reader,
    clock,
    logger,
    load: loadOfProcess(),
    pollMs,
  });
  const pages = new EventPages(store);
  const background = new BackgroundWork(clock, loadOfProcess());
  const logTail = new LogTail({
    store,
    clock,
    logger,
    load: loadOfProcess(),
    background,
    // The default one knows of this process alone.
    watch: driver.isAlone || !isWatchGiven ? null : watch,
    pollMs: isWatchGiven ? null : pollMs,
    tellsClaims: options.policy !== undefined,
  });
  const queries = new ListQueries({ tail: logTail, store, background, clock, logger });
  return {
    memories,
    audits,
    auditRetention:
      audit === null
        ? null
        : new AuditRetention({ audit, clock, logger, retentionMs: options.auditRetentionMs }),
    families,
    background,
    logTail,
    listStream: new ListStream({ queries, background, clock }),
    eventReader: new RunEventReader({ pages, reader }),
    eventStream: new RunEventStream({ pages, store, watch, reader, background }),
    allEvents: new AllEventsStream({ tail: logTail, store }),
    runLogger: new RunLogger(logger),
    observers: new RunObservers(logger),
    retention: new Retention({
      store,
      clock,
      logger,
      retentionMs: options.retentionMs,
      followers: audits === null ? [memories] : [memories, audits],
    }),
    definitionSweep: new DefinitionSweep({ store, clock, logger }),
  };
}
