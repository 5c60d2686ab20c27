import type { Migration } from '../migration.js';

/**
 * API keys, and owners whose tokens are refused. Instants are epoch ms. Of a secret there is its hash alone; `groups`, `grants` and
 * `made_by_token` are JSON. Runs and their logs are not touched, so an older release serves on.
 */
export const access: Migration = {
  version: 5,
  sql: `
    CREATE TABLE @.access_keys (
      id            text COLLATE "C" PRIMARY KEY,
      secret_hash   text COLLATE "C" NOT NULL,
      -- The secret before a rotation, while it is still good.
      former_hash   text COLLATE "C",
      former_until  bigint,
      owner         text COLLATE "C" NOT NULL,
      name          text COLLATE "C",
      groups        text NOT NULL,
      grants        text NOT NULL,
      -- Whether one of the grants is for all namespaces.
      is_everywhere boolean NOT NULL,
      made_by_key   text COLLATE "C",
      made_by_token text,
      made_by       text COLLATE "C",
      created_at    bigint NOT NULL,
      expires_at    bigint NOT NULL,
      last_used_at  bigint,
      revoked_at    bigint
    );
    -- With whether they have ended: who makes room among thousands looks at few rows.
    CREATE INDEX access_keys_by_age ON @.access_keys (created_at, id) INCLUDE (revoked_at, expires_at);
    CREATE INDEX access_keys_of_owner ON @.access_keys (owner, created_at, id) INCLUDE (revoked_at, expires_at);
    CREATE INDEX access_keys_made_by ON @.access_keys (made_by_key) WHERE made_by_key IS NOT NULL;
    CREATE INDEX access_keys_not_revoked ON @.access_keys (expires_at) WHERE revoked_at IS NULL;
    CREATE INDEX access_keys_everywhere ON @.access_keys (id) WHERE is_everywhere AND revoked_at IS NULL;

    -- Tokens of the owner that were issued up to then are refused.
    CREATE TABLE @.owner_revocations (
      owner      text COLLATE "C" PRIMARY KEY,
      revoked_at bigint NOT NULL
    );

    -- One row, once something has changed.
    CREATE TABLE @.access_changes (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      counter bigint NOT NULL
    );
  `,
};
