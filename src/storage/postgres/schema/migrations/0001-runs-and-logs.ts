import type { Migration } from '../migration.js';

/**
 * Everything that a store holds. Instants are epoch ms. Texts of others that may hold what PostgreSQL's `text` cannot (NUL, halves
 * of surrogate pairs) are escaped (`database/escaped.ts`); texts of JSON need not be, and are no `jsonb`, which refuses NUL.
 * What is compared has the order of its bytes (COLLATE "C"): it is the same in every database, and no new version of the system's
 * collations breaks an index.
 *
 * `log` and `states` are in partitions by the week of the run's id, made ahead (`schema/partitions.ts`): what was purged goes with
 * its week, and no DELETE touches them.
 */
export const runsAndLogs: Migration = {
  version: 1,
  sql: `
    CREATE TABLE @.runs (
      run_id          uuid PRIMARY KEY,
      -- The last byte of the id: sweeps read the runs of some shards.
      shard_byte      smallint NOT NULL,
      namespace       text COLLATE "C" NOT NULL,
      workflow_id     text COLLATE "C" NOT NULL,
      definition_hash text COLLATE "C" NOT NULL,
      status          text COLLATE "C" NOT NULL,
      created_at      bigint NOT NULL,
      updated_at      bigint NOT NULL,
      ended_at        bigint,
      open_executions integer NOT NULL,
      wake_at         bigint,
      last_seq        bigint NOT NULL,
      -- Where its newest append is in the log of the store.
      last_position   bigint NOT NULL,
      gates           integer NOT NULL DEFAULT 0,
      parent_run_id   uuid,
      root_run_id     uuid,
      origin          text COLLATE "C" NOT NULL,
      forked_from     uuid,
      is_cancelled    boolean NOT NULL,
      tokens          double precision,
      cost            double precision,
      active_ms       bigint,
      active_since    bigint
    ) WITH (fillfactor = 80);

    -- Lists, newest first. Nearly all runs are completed, so the status index leaves those out.
    CREATE INDEX runs_by_age ON @.runs (namespace, created_at, run_id);
    CREATE INDEX runs_of_workflow ON @.runs (namespace, workflow_id, created_at, run_id);
    CREATE INDEX runs_not_completed ON @.runs (namespace, status, created_at, run_id) WHERE status <> 'completed';
    CREATE INDEX runs_with_gates ON @.runs (namespace, created_at, run_id) WHERE gates > 0;
    CREATE INDEX runs_cancelled ON @.runs (namespace, created_at, run_id) WHERE is_cancelled;
    CREATE INDEX runs_of_origin ON @.runs (namespace, origin, created_at, run_id) WHERE origin <> 'client';
    -- Also whether a run has forks, which keep it.
    CREATE INDEX runs_forked ON @.runs (forked_from, created_at, run_id) WHERE forked_from IS NOT NULL;

    -- Recovery and the sweep of what is due; empty when nothing moves.
    CREATE INDEX runs_unfinished ON @.runs (shard_byte, run_id) WHERE ended_at IS NULL AND open_executions > 0;
    CREATE INDEX runs_due ON @.runs (shard_byte, wake_at, run_id) WHERE ended_at IS NULL AND wake_at IS NOT NULL;
    CREATE INDEX runs_ended ON @.runs (ended_at, run_id) WHERE ended_at IS NOT NULL;
    CREATE INDEX runs_of_parent ON @.runs (parent_run_id, run_id) WHERE parent_run_id IS NOT NULL AND ended_at IS NULL;
    CREATE INDEX runs_of_root ON @.runs (root_run_id) WHERE root_run_id IS NOT NULL AND ended_at IS NULL;

    -- A row for each append; those of an import are several. What it says of a run without a row in runs is nobody's.
    CREATE TABLE @.log (
      run_id    uuid NOT NULL,
      last_seq  bigint NOT NULL,
      first_seq bigint NOT NULL,
      position  bigint NOT NULL,
      at        bigint NOT NULL,
      events    text NOT NULL,
      PRIMARY KEY (run_id, last_seq)
    ) PARTITION BY RANGE (run_id);
    CREATE INDEX log_by_position ON @.log (position);
    CREATE TABLE @.log_other PARTITION OF @.log DEFAULT;

    CREATE TABLE @.states (
      run_id        uuid NOT NULL,
      seq           bigint NOT NULL,
      state_version integer NOT NULL,
      state         text NOT NULL,
      PRIMARY KEY (run_id, seq)
    ) PARTITION BY RANGE (run_id);
    CREATE TABLE @.states_other PARTITION OF @.states DEFAULT;

    CREATE TABLE @.tombstones (
      position    bigint PRIMARY KEY,
      run_id      uuid NOT NULL,
      namespace   text COLLATE "C" NOT NULL,
      workflow_id text COLLATE "C" NOT NULL
    );

    CREATE TABLE @.idempotency (
      scope       text COLLATE "C" NOT NULL,
      key         text COLLATE "C" NOT NULL,
      fingerprint text COLLATE "C" NOT NULL,
      run_id      uuid NOT NULL,
      PRIMARY KEY (scope, key)
    );
    CREATE INDEX idempotency_of_run ON @.idempotency (run_id);

    -- namespace and created_at are the run's.
    CREATE TABLE @.run_labels (
      run_id     uuid NOT NULL,
      name       text COLLATE "C" NOT NULL,
      value      text COLLATE "C" NOT NULL,
      namespace  text COLLATE "C" NOT NULL,
      created_at bigint NOT NULL,
      PRIMARY KEY (run_id, name)
    );
    CREATE INDEX runs_with_label ON @.run_labels (namespace, name, value, created_at, run_id);

    -- No text of an author or of a run: this is not encrypted. namespace, workflow_id and created_at are the run's.
    CREATE TABLE @.open_gates (
      run_id      uuid NOT NULL,
      gate_id     bigint NOT NULL,
      unit_id     text COLLATE "C" NOT NULL,
      opened_at   bigint NOT NULL,
      namespace   text COLLATE "C" NOT NULL,
      workflow_id text COLLATE "C" NOT NULL,
      created_at  bigint NOT NULL,
      PRIMARY KEY (run_id, gate_id)
    );
    CREATE INDEX open_gates_by_age ON @.open_gates (namespace, opened_at, run_id, gate_id);
    CREATE INDEX open_gates_of_workflow ON @.open_gates (namespace, workflow_id, opened_at, run_id, gate_id);
    CREATE INDEX open_gates_of_unit ON @.open_gates (namespace, unit_id, created_at, run_id);

    -- The newest decision at each gate.
    CREATE TABLE @.decided_gates (
      run_id      uuid NOT NULL,
      gate_id     bigint NOT NULL,
      unit_id     text COLLATE "C" NOT NULL,
      opened_at   bigint NOT NULL,
      decided_at  bigint NOT NULL,
      decided_seq bigint NOT NULL,
      namespace   text COLLATE "C" NOT NULL,
      workflow_id text COLLATE "C" NOT NULL,
      PRIMARY KEY (run_id, gate_id)
    );
    CREATE INDEX decided_gates_by_age ON @.decided_gates (namespace, decided_at, run_id, gate_id);
    CREATE INDEX decided_gates_of_workflow ON @.decided_gates (namespace, workflow_id, decided_at, run_id, gate_id);

    -- Appends that a parent or children have to hear of, until they have.
    CREATE TABLE @.family_log (
      position bigint PRIMARY KEY,
      run_id   uuid NOT NULL
    );
    CREATE INDEX family_log_of_run ON @.family_log (run_id);

    CREATE TABLE @.definitions (
      namespace     text COLLATE "C" NOT NULL,
      hash          text COLLATE "C" NOT NULL,
      workflow_id   text COLLATE "C" NOT NULL,
      yaml          text NOT NULL,
      bindings      text NOT NULL,
      plan          text,
      registered_at bigint NOT NULL,
      PRIMARY KEY (namespace, hash)
    );
    CREATE INDEX definitions_of_workflow ON @.definitions (namespace, workflow_id, registered_at, hash);

    -- place: the order of first registrations; place_in_opening: the same among those of the opening.
    CREATE TABLE @.registrations (
      namespace        text COLLATE "C" NOT NULL,
      workflow_id      text COLLATE "C" NOT NULL,
      hash             text COLLATE "C" NOT NULL,
      registered_at    bigint NOT NULL,
      opening          text COLLATE "C" NOT NULL,
      place            bigint NOT NULL,
      place_in_opening bigint NOT NULL,
      PRIMARY KEY (namespace, workflow_id)
    );

    CREATE TABLE @.cursors (
      name     text COLLATE "C" PRIMARY KEY,
      position bigint NOT NULL
    );

    -- What was counted last of what has not ended; one row.
    CREATE TABLE @.standing (
      is_only    boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      counted_at bigint NOT NULL,
      pending    bigint NOT NULL,
      running    bigint NOT NULL,
      paused     bigint NOT NULL,
      open_gates bigint NOT NULL
    );

    -- Who released a shard last, and how: missing, it was never released.
    CREATE TABLE @.shards (
      shard    smallint PRIMARY KEY,
      is_clean boolean NOT NULL,
      -- The revision of the log that the releasing build writes: an older build does not take the shard.
      revision integer NOT NULL
    );

    -- What replicas were doing. A database that crashed or was promoted forgets it: both are empty then.
    CREATE UNLOGGED TABLE @.call_marks (
      run_id       uuid NOT NULL,
      execution_id bigint NOT NULL,
      attempt      integer NOT NULL,
      shard_byte   smallint NOT NULL,
      replica      text COLLATE "C" NOT NULL,
      PRIMARY KEY (run_id, execution_id, attempt)
    );
    CREATE INDEX call_marks_of_shard ON @.call_marks (shard_byte);
    CREATE UNLOGGED TABLE @.risk_marks (
      run_id     uuid NOT NULL,
      doing      text COLLATE "C" NOT NULL,
      last_seq   bigint NOT NULL,
      -- How often a replica died here at this seq; 0: the mark of one that is at it.
      deaths     integer NOT NULL,
      shard_byte smallint NOT NULL,
      replica    text COLLATE "C" NOT NULL,
      PRIMARY KEY (run_id, doing)
    );
    CREATE INDEX risk_marks_of_shard ON @.risk_marks (shard_byte);
  `,
};
