import type { Migration } from '../migration.js';

/**
 * The memory behind search. Nothing that runs rest on is in it: its tables may be emptied, all three together, and are then filled
 * again from the log.
 */
export const memory: Migration = {
  version: 2,
  sql: `
    -- One row, once somebody has opened the memory.
    CREATE TABLE @.memory (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only)
    );

    -- What was ever put into a namespace: how many entries, which are numbered by it, and their terms together.
    CREATE TABLE @.memory_namespaces (
      namespace text COLLATE "C" PRIMARY KEY,
      newest    bigint NOT NULL,
      terms     bigint NOT NULL
    );

    CREATE TABLE @.memory_entries (
      id        text COLLATE "C" PRIMARY KEY,
      namespace text COLLATE "C" NOT NULL,
      -- The order in which entries were put, within the namespace; one that is put again has a new number.
      number    bigint NOT NULL,
      run_id    text COLLATE "C",
      -- How many terms the content has, with repetitions.
      terms     integer NOT NULL,
      content   text NOT NULL,
      metadata  text NOT NULL,
      -- The terms with their namespace (memory-terms.ts), each with as many positions as it occurs, up to a few.
      words     tsvector NOT NULL
    );
    CREATE UNIQUE INDEX memory_entries_by_age ON @.memory_entries (namespace, number);
    CREATE INDEX memory_entries_of_run ON @.memory_entries (run_id);
    -- What is not in the index proper yet is looked through by every search: it stays short.
    CREATE INDEX memory_entries_with_word ON @.memory_entries USING gin (words) WITH (gin_pending_list_limit = 256);
  `,
};
