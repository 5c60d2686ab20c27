import { performance } from 'node:perf_hooks';
import { VERSION } from '../config/version.js';
import type { EngineFigures, StandingFigures } from '../engine/index.js';
import type { Meter } from './meter.js';
import { counter, gauge, histogram, sample, samplesBy, type MetricFamily } from './metric-family.js';

const MS_PER_S = 1_000;
const US_PER_S = 1_000_000;

/** The values that are read for one response. */
export interface Figures {
  readonly engine: EngineFigures;
  /** Null: the store cannot report them at the moment. */
  readonly totals: StandingFigures | null;
}

/** Every metric of an instance, as of now. */
export function familiesOf(meter: Meter, figures: Figures): readonly MetricFamily[] {
  return [
    ...ofRuns(meter, figures),
    ...ofUnits(meter, figures),
    ...ofStore(meter, figures),
    ...ofReplica(figures),
    ...ofProcess(meter),
  ];
}

function ofRuns(meter: Meter, { engine, totals }: Figures): readonly MetricFamily[] {
  return [
    counter('flowgate_runs_started_total', 'Runs that this process has started.', [sample(meter.started)]),
    counter(
      'flowgate_runs_ended_total',
      'Runs that this process has brought to their end.',
      samplesBy('status', meter.ended),
    ),
    histogram('flowgate_run_duration_seconds', 'From when a run was made to its end.', [
      { labels: {}, tally: meter.runDurations },
    ]),
    gauge('flowgate_runs', 'Runs in the store that have not ended, by status.', unfinishedRuns(totals)),
    gauge(
      'flowgate_open_gates',
      'Gates that wait for a decision.',
      totals === null ? [] : [sample(totals.openGates)],
    ),
    gauge('flowgate_runs_in_memory', 'Runs that this process holds in memory.', [
      sample(engine.runsInMemory),
    ]),
    counter('flowgate_runs_stalled_total', 'Runs that had stalled and were read anew, by a defect.', [
      sample(engine.stalledRuns),
    ]),
    gauge('flowgate_mailbox_runs', 'Runs of which something is decided or stored.', [
      sample(engine.mailboxes.busy),
    ]),
    gauge('flowgate_mailbox_mails', 'What waits in the mailboxes of runs to be decided.', [
      sample(engine.mailboxes.mails),
    ]),
  ];
}

function unfinishedRuns(totals: Figures['totals']): MetricFamily['samples'] {
  if (totals === null) return [];
  const { pending, running, paused } = totals;
  return samplesBy('status', { pending, running, paused });
}

function ofUnits(meter: Meter, { engine }: Figures): readonly MetricFamily[] {
  const calls = [...meter.calls.all()];
  return [
    counter(
      'flowgate_unit_calls_total',
      'Attempts of units that came to an end, by whom they called.',
      calls.flatMap(([origin, { outcomes }]) =>
        Object.entries(outcomes).map(([outcome, value]) => sample(value, { origin, outcome })),
      ),
    ),
    histogram(
      'flowgate_unit_call_duration_seconds',
      'How long attempts of units took.',
      calls.map(([origin, { durations }]) => ({ labels: { origin }, tally: durations })),
    ),
    gauge('flowgate_units_in_flight', 'Attempts of units that are under way.', [
      sample(engine.unitsInFlight),
    ]),
  ];
}

function ofStore(meter: Meter, { totals }: Figures): readonly MetricFamily[] {
  return [
    counter('flowgate_appends_total', 'Writes to the logs of runs.', samplesBy('outcome', meter.appends)),
    histogram('flowgate_append_duration_seconds', 'From when a write is asked for until it is durable.', [
      { labels: {}, tally: meter.appendDurations },
    ]),
    histogram('flowgate_commit_duration_seconds', 'How long commits of the store took.', [
      { labels: {}, tally: meter.commitDurations },
    ]),
    counter('flowgate_commit_operations_total', 'Writes in those commits.', [
      sample(meter.committedOperations),
    ]),
    counter('flowgate_commits_failed_total', 'Commits that failed: the disk is full, or not well.', [
      sample(meter.failedCommits),
    ]),
    gauge(
      'flowgate_follower_lag_entries',
      'Entries of the log that a follower has not read yet.',
      totals === null ? [] : [sample(totals.memoryBehind, { follower: 'memory' })],
    ),
  ];
}

/** Nothing of it has a value in a process that is alone with its store. */
function ofReplica({ engine: { replica, connections } }: Figures): readonly MetricFamily[] {
  const samples = (value: number | undefined) => (value === undefined ? [] : [sample(value)]);
  return [
    gauge(
      'flowgate_replicas',
      'Processes that share the store, this one included.',
      samples(replica?.replicas),
    ),
    gauge('flowgate_shards', 'Shards of runs that this process owns.', samples(replica?.shardsOwned)),
    counter(
      'flowgate_shards_lost_total',
      'Shards that this process lost without releasing them.',
      samples(replica?.shardsLost),
    ),
    counter(
      'flowgate_nudges_missed_total',
      'Nudges of other processes that did not arrive, and that a look made up for.',
      samples(replica?.nudgesMissed),
    ),
    gauge(
      'flowgate_database_connections',
      'Connections of this process to the database that is shared.',
      connections === undefined
        ? []
        : samplesBy('state', { busy: connections.open - connections.idle, idle: connections.idle }),
    ),
    gauge(
      'flowgate_database_connections_max',
      'As many as this process may have.',
      samples(connections?.most),
    ),
    gauge(
      'flowgate_database_waiting',
      'Statements of this process that wait for a connection.',
      samples(connections?.waiting),
    ),
  ];
}

function ofProcess(meter: Meter): readonly MetricFamily[] {
  const { user, system } = process.cpuUsage();
  return [
    histogram('flowgate_event_loop_delay_seconds', 'How late timers came.', [
      { labels: {}, tally: meter.loopDelay.read() },
    ]),
    counter('flowgate_event_loop_active_seconds_total', 'How long the event loop was not idle.', [
      sample(performance.eventLoopUtilization().active / MS_PER_S),
    ]),
    counter('process_cpu_seconds_total', 'CPU time of the process, in user and system mode.', [
      sample((user + system) / US_PER_S),
    ]),
    gauge('process_resident_memory_bytes', 'Memory of the process.', [sample(process.memoryUsage.rss())]),
    gauge('process_start_time_seconds', 'When the process began, since the epoch.', [
      sample(performance.timeOrigin / MS_PER_S),
    ]),
    gauge('nodejs_heap_size_used_bytes', 'What the heap of JavaScript holds.', [
      sample(process.memoryUsage().heapUsed),
    ]),
    gauge('flowgate_build_info', 'The version, as a label; always 1.', [sample(1, { version: VERSION })]),
  ];
}
