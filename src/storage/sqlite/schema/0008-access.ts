import type { Migration } from './migration.js';

/**
 * API keys, and owners whose tokens are refused. Instants are epoch ms. Of a secret there is its hash alone; `groups`, `grants` and
 * `made_by_token` are JSON. Runs and their logs are not touched.
 */
export const access: Migration = {
  version: 8,
  sql: `
    -- What may be long comes last, so that it is not read through for what comes after it.
    CREATE TABLE access_keys (
      id            TEXT PRIMARY KEY NOT NULL,
      secret_hash   TEXT NOT NULL,
      -- The secret before a rotation, while it is still good.
      former_hash   TEXT,
      former_until  INTEGER,
      created_at    INTEGER NOT NULL,
      expires_at    INTEGER NOT NULL,
      last_used_at  INTEGER,
      revoked_at    INTEGER,
      -- Whether one of the grants is for all namespaces.
      is_everywhere INTEGER NOT NULL,
      made_by_key   TEXT,
      made_by       TEXT,
      owner         TEXT NOT NULL,
      name          TEXT,
      groups        TEXT NOT NULL,
      made_by_token TEXT,
      grants        TEXT NOT NULL
    );
    -- With whether they have ended: who makes room among thousands looks at no row.
    CREATE INDEX access_keys_by_age ON access_keys (created_at, id, revoked_at, expires_at);
    CREATE INDEX access_keys_of_owner ON access_keys (owner, created_at, id, revoked_at, expires_at);
    CREATE INDEX access_keys_made_by ON access_keys (made_by_key) WHERE made_by_key IS NOT NULL;
    -- revoked_at, though it is null: with it they are counted without looking at the rows.
    CREATE INDEX access_keys_not_revoked ON access_keys (expires_at, revoked_at) WHERE revoked_at IS NULL;
    CREATE INDEX access_keys_everywhere ON access_keys (expires_at) WHERE is_everywhere = 1 AND revoked_at IS NULL;

    -- Tokens of the owner that were issued up to then are refused.
    CREATE TABLE owner_revocations (
      owner      TEXT PRIMARY KEY,
      revoked_at INTEGER NOT NULL
    ) WITHOUT ROWID;

    -- One row, once something has changed.
    CREATE TABLE access_changes (
      is_only INTEGER PRIMARY KEY CHECK (is_only = 1),
      counter INTEGER NOT NULL
    );
  `,
};
