/** Who sees to it that a commit is on a disk: it is looked for at the start, or a platform promises it by other means. */
export const DURABILITIES = ['verified', 'elsewhere'] as const;
export type Durability = (typeof DURABILITIES)[number];

/** A name that PostgreSQL takes without quotes; those that begin with pg_ are its own. */
export const SCHEMA_NAME = {
  allowed: '1 to 63 lower-case letters, digits and underscores, no digit first, and not pg_',
  pattern: /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/,
};

/** What holds where an option of `flowgate/postgres` is left out; the settings of the service begin with the same values. */
export const POSTGRES_DEFAULTS = {
  schema: 'flowgate',
  durability: 'verified',
  maxConnections: 8,
  shards: 64,
} as const;
