import type { Migration } from './migration.js';

/**
 * Who did what. Instants are epoch ms; `facts` is JSON. People stand in `people` alone, so that one of them can be forgotten. Runs and
 * their logs are not touched.
 */
export const audit: Migration = {
  version: 9,
  sql: `
    -- is_claimed: 1 where nobody was authenticated, and the owner is a name that a request gave.
    CREATE TABLE people (
      ref        TEXT PRIMARY KEY NOT NULL,
      owner      TEXT NOT NULL,
      is_claimed INTEGER NOT NULL,
      UNIQUE (owner, is_claimed)
    ) WITHOUT ROWID;

    -- No id is given twice, also where the newest was removed.
    CREATE TABLE audit (
      id          INTEGER PRIMARY KEY AUTOINCREMENT,
      at          INTEGER NOT NULL,
      action      TEXT NOT NULL,
      -- Empty: it belongs to none.
      namespace   TEXT NOT NULL,
      -- References to people.
      person      TEXT,
      subject     TEXT,
      key_id      TEXT,
      via         TEXT,
      auth        TEXT,
      workflow_id TEXT,
      run_id      TEXT,
      seq         INTEGER,
      target      TEXT,
      facts       TEXT NOT NULL
    );
    CREATE INDEX audit_by_age ON audit (namespace, at, id);
    CREATE INDEX audit_of_person ON audit (person, at, id) WHERE person IS NOT NULL;
    CREATE INDEX audit_about ON audit (subject) WHERE subject IS NOT NULL;
    CREATE UNIQUE INDEX audit_of_run ON audit (run_id, seq) WHERE run_id IS NOT NULL;
    -- Without what nearly all rows are: it costs the start of a run nothing.
    CREATE INDEX audit_of_action ON audit (namespace, action, at, id) WHERE action <> 'run.start';
  `,
};
