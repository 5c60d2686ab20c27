import { StoreError } from '../../../errors/service-errors.js';

/** As `pg` takes it. It may hold a password: it belongs into no message and no log. */
export interface ConnectionSettings {
  readonly connectionString: string;
}

const BEGINS_RIGHT = /^postgres(ql)?:\/\/./i;
const SAYS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * What of a URL's query reaches `pg`: where the server is, who connects and how it is encrypted. `pg` takes a setting of its own
 * from there, too, which would undo ours; what it does not know it ignores, and so do we.
 */
const KEPT = new Set([
  'host',
  'port',
  'user',
  'password',
  'options',
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'uselibpqcompat',
]);

const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
/** `pg` reads these as `verify-full`, and prints a warning for each that a later version will not. */
const READ_AS_VERIFY_FULL = new Set(['prefer', 'require', 'verify-ca']);
/** With it, `pg` reads `sslmode` as `psql` does. */
const AS_LIBPQ = 'uselibpqcompat=true';

/** Throws a `StoreError` for what is no URL of a PostgreSQL database; whether one is there, only connecting says. */
export function connectionSettings(url: string): ConnectionSettings {
  if (!BEGINS_RIGHT.test(url)) {
    const found = SAYS_SCHEME.exec(url)?.[0] ?? 'something else';
    throw new StoreError(
      `The URL of the database begins with ${found}: it must be postgresql://user:password@host:5432/database`,
      { permanent: true },
    );
  }
  const [address = '', query = ''] = splitOnce(url, '?');
  const pairs = query.split('&').filter((pair) => KEPT.has(nameOf(pair)));
  const isAsLibpq = pairs.includes(AS_LIBPQ);
  const kept = pairs.map((pair) => (nameOf(pair) === 'sslmode' ? sslMode(pair, isAsLibpq) : pair));
  return { connectionString: kept.length === 0 ? address : `${address}?${kept.join('&')}` };
}

function sslMode(pair: string, isAsLibpq: boolean): string {
  const [, mode = ''] = splitOnce(pair, '=');
  if (!SSL_MODES.includes(mode)) {
    throw new StoreError(
      `The URL of the database has an unknown sslmode: use one of ${SSL_MODES.join(', ')}`,
      {
        permanent: true,
      },
    );
  }
  return !isAsLibpq && READ_AS_VERIFY_FULL.has(mode) ? 'sslmode=verify-full' : pair;
}

function nameOf(pair: string): string {
  return splitOnce(pair, '=')[0] ?? '';
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** PostgreSQL cuts longer names off silently, and keeps those that begin with `pg_` to itself. */
const SCHEMA_NAME = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/i;

/** The schema's name as statements have it, before a dot. Throws a `StoreError` for a name that it cannot have. */
export function quotedSchema(name: string): string {
  if (!SCHEMA_NAME.test(name) || name.toLowerCase() === 'information_schema') {
    throw new StoreError(
      'The schema of the database must be named by 1 to 63 letters, digits and underscores, with no digit and no pg_ at the ' +
        'beginning: flowgate, for example',
      { permanent: true },
    );
  }
  return `"${name}"`;
}
