import type { ClientBase, ClientConfig } from 'pg';
import { StoreError } from '../../../errors/service-errors.js';
import { arrayLiteral } from './array-literal.js';
import type { ConnectionSettings } from './connection-settings.js';
import type { Columns, SqlValue } from '../database/database.js';
import { faultOf } from '../database/postgres-fault.js';
import type { StatementText } from './statement-texts.js';

/** The package `pg`, which only those need who keep their runs in PostgreSQL. */
export type Pg = typeof import('pg');

const CONNECT_TIMEOUT_MS = 5_000;
/** Connections that are idle notice by this that the other side is gone. */
const KEEP_ALIVE_AFTER_MS = 5_000;

/** Types by their fixed ids in PostgreSQL's catalog. */
const INT8 = 20;
const INT8_ARRAY = 1016;

/** Rejects with a `StoreError` where the package is missing. */
export async function loadPg(): Promise<Pg> {
  try {
    return await import('pg');
  } catch (error) {
    throw new StoreError(
      'The PostgreSQL store needs the package pg, which is not found next to flowgate: run `npm install pg`',
      { cause: error, permanent: true },
    );
  }
}

/** What every connection has in common, whoever uses it. */
export function clientConfig(
  pg: Pg,
  { connectionString }: ConnectionSettings,
  queryTimeoutMs: number,
): ClientConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, wholeNumber);
  types.setTypeParser(INT8_ARRAY, wholeNumbers);
  return {
    connectionString,
    application_name: 'flowgate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types,
  };
}

/**
 * Reads the URL, and the files that it names, before anything connects: what `pg` throws then holds paths of this machine.
 * Throws a `StoreError`.
 */
export function refuseUnreadable(pg: Pg, config: ClientConfig): void {
  try {
    // It connects only when it is told to.
    void new pg.Client(config);
  } catch (error) {
    const { code } = faultOf(error);
    const isFile = code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR';
    throw new StoreError(
      isFile
        ? `A file that the URL of the database names for TLS cannot be read (${code}): check sslrootcert, sslcert and sslkey`
        : 'The URL of the database cannot be read: write it as postgresql://user:password@host:5432/database, with %40 for an ' +
            '@ in the password, %2F for a / and %25 for a %',
      { permanent: true },
    );
  }
}

/** Performs one statement. Rejects with what `pg` rejects with. `timeoutMs`: how long to wait, other than usual. */
export async function perform(
  client: ClientBase,
  { text, name }: StatementText,
  values: readonly SqlValue[] = [],
  timeoutMs?: number,
): Promise<readonly Columns[]> {
  const statement = {
    text,
    name,
    values: values.map((value) => (isList(value) ? arrayLiteral(value) : value)),
    ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
  };
  const { rows } = await client.query<Columns>(statement);
  return rows;
}

const isList = (value: SqlValue): value is Extract<SqlValue, readonly unknown[]> => Array.isArray(value);

/** Performs statements that are separated by semicolons. */
export async function performScript(client: ClientBase, text: string, timeoutMs: number): Promise<void> {
  const script = { text, query_timeout: timeoutMs };
  await client.query(script);
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError('a column holds a whole number beyond 2^53');
}

/** `{1,NULL,3}` */
function wholeNumbers(text: string): readonly (number | null)[] {
  if (text === '{}') return [];
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => (item === 'NULL' ? null : wholeNumber(item)));
}
