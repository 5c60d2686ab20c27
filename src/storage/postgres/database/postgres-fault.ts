import { StoreError } from '../../../errors/service-errors.js';

/** What failed: a statement, by PostgreSQL's own word, or the way to the server. */
type Kind = 'statement' | 'network' | 'tls' | 'time-out' | 'crowded' | 'password' | 'closed' | 'other';

/** What went wrong, with nothing in it that names the address or the password. */
export interface PostgresFault {
  readonly kind: Kind;
  /** Of a statement PostgreSQL's code (appendix A of its manual), else Node's, such as `ECONNREFUSED`; null: there is none. */
  readonly code: string | null;
  readonly message: string;
  /** The connection is of no use any more, or nobody knows in the middle of what it is. */
  readonly endsConnection: boolean;
}

/** No database answers at the moment: it is stopped, starts, is full of connections, or the network is cut. */
export class DatabaseAwayError extends StoreError {}

/** The same, before anything was sent: nothing was carried out. */
export class DatabaseUnreachedError extends DatabaseAwayError {}

/** The cause of a `StoreError` that PostgreSQL itself reported. */
class StatementFault extends Error {
  constructor(
    message: string,
    readonly sqlState: string,
    /** The session goes on: so PostgreSQL has undone the statement, and all of its transaction. */
    readonly wasUndone: boolean,
  ) {
    super(message);
  }
}

const SQL_STATE = /^[0-9A-Z]{5}$/;
const SQL_CLASS_CHARS = 2;

const OF_TLS =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$)/;

const OF_NETWORK = /^(E(?!RR_)[A-Z]|ERR_SOCKET_CLOSED$|ERR_STREAM_)/;

/** Faults that `pg` reports by nothing but a sentence of its own. */
const SAID_BY_PG: readonly (readonly [beginning: string, kind: Kind])[] = [
  ['Query read timeout', 'time-out'],
  ['timeout expired', 'time-out'],
  ['Connection terminated due to connection timeout', 'time-out'],
  ['timeout exceeded when trying to connect', 'crowded'],
  ['Connection terminated', 'network'],
  ['Client has encountered a connection error', 'network'],
  ['Client was closed', 'network'],
  ['Cannot use a pool after calling end', 'closed'],
  ['The server does not support SSL', 'tls'],
  ['There was an error establishing an SSL', 'tls'],
  ['SASL', 'password'],
  ['Password must be', 'password'],
];

/** Looks at the fields and uses no `instanceof`: under a test runner errors of Node and of `pg` are of another realm. */
export function faultOf(error: unknown): PostgresFault {
  const message = textIn(error, 'message') ?? String(error);
  const code = codeIn(error);
  const severity = textIn(error, 'severity');
  if (severity !== null && code !== null && SQL_STATE.test(code)) {
    const endsConnection = severity === 'FATAL' || severity === 'PANIC' || isOneOf(ENDS_CONNECTION, code);
    return { kind: 'statement', code, message, endsConnection };
  }
  const kind = kindOf(code, message);
  // A message of Node has the address in it.
  return { kind, code, message: kind === 'other' ? message : (code ?? message), endsConnection: true };
}

function kindOf(code: string | null, message: string): Kind {
  const [, kind] = SAID_BY_PG.find(([beginning]) => message.startsWith(beginning)) ?? [];
  if (kind !== undefined) return kind;
  if (code === null) return 'other';
  if (OF_TLS.test(code)) return 'tls';
  return OF_NETWORK.test(code) ? 'network' : 'other';
}

/** Where Node tried several addresses of a host, the code is that of the first. */
function codeIn(error: unknown): string | null {
  const own = textIn(error, 'code');
  if (own !== null) return own;
  const errors = typeof error === 'object' && error !== null && 'errors' in error ? error.errors : null;
  return Array.isArray(errors) && errors.length > 0 ? textIn(errors[0], 'code') : null;
}

function textIn(error: unknown, field: string): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const value: unknown = Reflect.get(error, field);
  return typeof value === 'string' ? value : null;
}

/** Codes after which PostgreSQL ends the session, whatever language its severities are in. */
const ENDS_CONNECTION = ['08', '28', '3D', '25P03', '53300', '57P01', '57P02', '57P03', '57P04', '57P05'];

/** Codes of a server that is there and cannot be used yet, or any more. */
const AWAY = ['08', '53300', '57P01', '57P02', '57P03'];

/** The same statement would fail again: values that do not fit. 23514 is a week that is being made (`schema/partitions.ts`). */
const PERMANENT = ['22', '23', '54'];
const PASSING_ALL_THE_SAME = ['23514'];

const CONTINUES = 'the service continues by itself';

/** What to do, by code, else by the class of the code. */
const STATEMENT_SENTENCES: Readonly<Record<string, string>> = {
  '08': `The connection to the database broke: check the network; ${CONTINUES}`,
  '22': 'The database cannot hold what it was given: report this with the version of the service',
  '23': 'The database cannot hold what it was given: report this with the version of the service',
  '23514': 'The database is making room for the runs of a week: try again',
  '25006':
    'The database only reads, as a standby or because it was set so: give the URL of the primary; ' +
    `once it writes, ${CONTINUES}`,
  '26000':
    'A pooler swaps the sessions of the URL: give the URL of the database itself as the session URL, too',
  '28': 'The database refuses the login: check user and password in the URL, and pg_hba.conf on the server',
  '3D000': 'The server has no database of that name: create it, or correct the name in the URL',
  '3F000':
    'The schema of the store is gone: restore the database from a backup, or restart the service to begin empty',
  '40': `Two requests were in the way of one another in the database: try again; ${CONTINUES}`,
  '42501': 'The role of the URL lacks a right in the database: make it the owner of the schema',
  '42703':
    'A table of the store lacks a column: restore the database, or name a schema of its own for the service',
  '42P01': 'A table of the store is missing: restore the database from a backup, or restart the service',
  '42P05':
    'A pooler swaps the sessions of the URL: give the URL of the database itself as the session URL, too',
  '42P07': 'The schema holds tables of another program: name a schema of its own for the service',
  '53100': 'The disk of the database is full: free some space there; writing then continues by itself',
  '53200': `The database is out of memory: give it more, or less to do at a time; ${CONTINUES}`,
  '53300': `The database has no connection left: raise its max_connections, or run fewer replicas; ${CONTINUES}`,
  '54': 'A value is too large for the database: let units answer less, or keep the data elsewhere and answer a reference to it',
  '55P03': `Something holds a lock on tables of the store, such as a change by hand: end it; ${CONTINUES}`,
  '57014': `A statement took the database too long, or was cancelled there: check its load; ${CONTINUES}`,
  '57P01': `The database is stopping: once it is back, ${CONTINUES}`,
  '57P02': `The database has crashed and recovers: once it is back, ${CONTINUES}`,
  '57P03': `The database is starting, or stopping: once it is back, ${CONTINUES}`,
  '57P04': 'The database was dropped: restore it from a backup',
  '58': `The disk of the database failed to read or write: check it; ${CONTINUES} once it works`,
  XX001: 'Data in the database is damaged: stop the service and restore the database from a backup',
  XX002: 'An index in the database is damaged: run REINDEX DATABASE there',
};

const OTHER_SENTENCES: Readonly<Record<Exclude<Kind, 'statement' | 'other'>, string>> = {
  network: `The database cannot be reached: start it, or check host and port in the URL; once it answers, ${CONTINUES}`,
  tls:
    'The database cannot be reached by TLS: give sslmode in the URL as the server has it, and in sslrootcert the file of the ' +
    'authority that signed its certificate',
  'time-out': `The database does not answer in time: check its load and the network; ${CONTINUES}`,
  crowded: `No connection to the database became free in time: check its load, or allow the service more; ${CONTINUES}`,
  password: 'The database asks for a password, and the URL has none or a wrong one: correct the URL',
  closed: 'The store is closed: restart the service',
};

const AWAY_KINDS: ReadonlySet<Kind> = new Set<Kind>(['network', 'time-out', 'crowded']);

/** The error for callers. */
export function storeErrorOf(fault: PostgresFault): StoreError {
  const { kind, code, message, endsConnection } = fault;
  if (kind !== 'statement' || code === null) {
    const ErrorOfKind = AWAY_KINDS.has(kind) ? DatabaseAwayError : StoreError;
    return new ErrorOfKind(sentenceOf(fault), { cause: new Error(message) });
  }
  const permanent = isOneOf(PERMANENT, code) && !PASSING_ALL_THE_SAME.includes(code);
  const ErrorOfCode = isOneOf(AWAY, code) ? DatabaseAwayError : StoreError;
  return new ErrorOfCode(sentenceOf(fault), {
    cause: new StatementFault(message, code, !endsConnection),
    permanent,
  });
}

/** As `storeErrorOf`, for whatever was thrown; a `StoreError` stays as it is. */
export function toStoreError(error: unknown): StoreError {
  return error instanceof StoreError ? error : storeErrorOf(faultOf(error));
}

/** As `toStoreError`, for what was thrown while there was no connection yet. */
export function unreachedError(error: unknown): StoreError {
  const storeError = toStoreError(error);
  return storeError instanceof DatabaseAwayError
    ? new DatabaseUnreachedError(storeError.message, { cause: storeError.cause })
    : storeError;
}

/** What one statement may meet at a database that serves: a limit of time, a lock, another statement in its way. */
const OF_ONE_STATEMENT = ['40', '55P03', '57014', '23514'];

/** Whether the database could not do what it was asked for a reason that concerns other work, too. */
export function hasNoAnswer(error: unknown): boolean {
  if (error instanceof StoreError && error.permanent) return false;
  const state = sqlStateOf(error);
  return state === null || !isOneOf(OF_ONE_STATEMENT, state);
}

/** Whether PostgreSQL itself says that nothing of the statement was carried out. */
export function isUndone(error: unknown): boolean {
  return error instanceof StoreError && error.cause instanceof StatementFault && error.cause.wasUndone;
}

/** PostgreSQL's code behind a `StoreError`; null: PostgreSQL did not report it. */
export function sqlStateOf(error: unknown): string | null {
  if (!(error instanceof StoreError) || !(error.cause instanceof StatementFault)) return null;
  return error.cause.sqlState;
}

function sentenceOf({ kind, code, message }: PostgresFault): string {
  if (kind === 'other')
    return `The database could not be used (${message}): look into its log, and try again`;
  if (kind !== 'statement') return withCode(OTHER_SENTENCES[kind], code);
  const known =
    STATEMENT_SENTENCES[code ?? ''] ?? STATEMENT_SENTENCES[(code ?? '').slice(0, SQL_CLASS_CHARS)];
  if (known !== undefined) return withCode(known, code);
  return `The database could not be used (${code}: ${message}): look into its log, and try again`;
}

/** The code in brackets, before the colon after which the sentence says what to do. */
function withCode(sentence: string, code: string | null): string {
  return code === null ? sentence : sentence.replace(':', ` (${code}):`);
}

/** Whether the code is in the list, by itself or with its class. */
function isOneOf(list: readonly string[], code: string): boolean {
  return list.includes(code) || list.includes(code.slice(0, SQL_CLASS_CHARS));
}
