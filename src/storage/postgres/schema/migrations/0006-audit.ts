import type { Migration } from '../migration.js';

/**
 * Who did what. Instants are epoch ms; `facts` is JSON. People stand in `people` alone, so that one of them can be forgotten. Runs and
 * their logs are not touched.
 */
export const audit: Migration = {
  version: 6,
  sql: `
    -- is_claimed: nobody was authenticated, and the owner is a name that a request gave.
    CREATE TABLE @.people (
      ref        uuid PRIMARY KEY,
      owner      text COLLATE "C" NOT NULL,
      is_claimed boolean NOT NULL,
      UNIQUE (owner, is_claimed)
    );

    CREATE TABLE @.audit (
      id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at          bigint NOT NULL,
      action      text COLLATE "C" NOT NULL,
      -- Empty: it belongs to none.
      namespace   text COLLATE "C" NOT NULL,
      -- References to people.
      person      uuid,
      subject     uuid,
      key_id      text COLLATE "C",
      via         text COLLATE "C",
      auth        text COLLATE "C",
      workflow_id text COLLATE "C",
      run_id      text COLLATE "C",
      seq         bigint,
      target      text COLLATE "C",
      facts       text NOT NULL
    );
    CREATE INDEX audit_by_age ON @.audit (namespace, at, id);
    CREATE INDEX audit_of_person ON @.audit (person, at, id) WHERE person IS NOT NULL;
    CREATE INDEX audit_about ON @.audit (subject) WHERE subject IS NOT NULL;
    CREATE UNIQUE INDEX audit_of_run ON @.audit (run_id, seq) WHERE run_id IS NOT NULL;
    -- Without what nearly all rows are.
    CREATE INDEX audit_of_action ON @.audit (namespace, action, at, id) WHERE action <> 'run.start';
  `,
};
