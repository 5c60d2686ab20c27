import { StoreError } from '../../../errors/service-errors.js';
import { DatabaseAwayError, faultOf, sqlStateOf, storeErrorOf, toStoreError } from './postgres-fault.js';

/** As `pg` reports what PostgreSQL said. */
const said = (code: string, message = 'it failed', severity = 'ERROR'): Error =>
  Object.assign(new Error(message), { code, severity });

/** As Node reports what a socket met: with the address in the message. */
const met = (code: string): Error =>
  Object.assign(new Error(`connect ${code} 10.1.2.3:5432`), {
    code,
    syscall: 'connect',
    address: '10.1.2.3',
  });

describe('a fault that PostgreSQL reports', () => {
  it.each([
    ['53100', 'The disk of the database is full (53100): free some space'],
    ['53300', 'The database has no connection left (53300): raise its max_connections'],
    ['57P01', 'The database is stopping (57P01): once it is back'],
    ['57P03', 'The database is starting, or stopping (57P03): once it is back'],
    ['08006', 'The connection to the database broke (08006): check the network'],
    ['40001', 'Two requests were in the way of one another in the database (40001): try again'],
    ['40P01', 'Two requests were in the way of one another in the database (40P01): try again'],
    [
      '25006',
      'The database only reads, as a standby or because it was set so (25006): give the URL of the primary',
    ],
    ['28P01', 'The database refuses the login (28P01): check user and password'],
    ['3D000', 'The server has no database of that name (3D000): create it'],
    ['42501', 'The role of the URL lacks a right in the database (42501): make it the owner'],
    ['55P03', 'Something holds a lock on tables of the store'],
    ['57014', 'A statement took the database too long'],
    ['23514', 'The database is making room'],
    ['XX000', 'The database could not be used (XX000: it failed): look into its log'],
  ])('says what to do and passes: %s', (code, sentence) => {
    const error = toStoreError(said(code));
    expect(error.message).toContain(sentence);
    expect([error.permanent, sqlStateOf(error)]).toEqual([false, code]);
  });

  it.each([
    ['22021', 'cannot hold what it was given (22021): report this'],
    ['22P05', 'cannot hold what it was given (22P05): report this'],
    ['23505', 'cannot hold what it was given (23505): report this'],
    ['54000', 'A value is too large for the database (54000): let units answer less'],
  ])('is permanent when the values are at fault: %s', (code, sentence) => {
    const error = toStoreError(said(code));
    expect(error.message).toContain(sentence);
    expect([error.permanent, sqlStateOf(error)]).toEqual([true, code]);
  });

  it.each([
    ['23505', 'ERROR', false],
    ['57014', 'ERROR', false],
    ['57P01', 'FATAL', true],
    // A server that speaks another language.
    ['57P05', 'FATALE', true],
    ['XX000', 'PANIC', true],
    ['XX000', 'ERROR', false],
  ])('ends the connection or does not: %s %s', (code, severity, ends) => {
    expect(faultOf(said(code, 'it failed', severity)).endsConnection).toBe(ends);
  });

  it('is waited out at the start when no database is there yet, and not when it would not help', () => {
    const away = ['08001', '53300', '57P01', '57P02', '57P03'];
    const there = ['28P01', '3D000', '42501', '53100', '25006'];
    expect(away.map((code) => toStoreError(said(code)) instanceof DatabaseAwayError)).toEqual(
      away.map(() => true),
    );
    expect(there.map((code) => toStoreError(said(code)) instanceof DatabaseAwayError)).toEqual(
      there.map(() => false),
    );
  });
});

describe('a fault on the way to the server', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'])(
    'passes, names the code and no address: %s',
    (code) => {
      const error = toStoreError(met(code));
      expect(error.message).toContain(
        `The database cannot be reached (${code}): start it, or check host and port`,
      );
      expect(error).toBeInstanceOf(DatabaseAwayError);
      expect([error.permanent, sqlStateOf(error)]).toEqual([false, null]);
      expect(JSON.stringify([error.message, String(error.cause)])).not.toContain('10.1.2.3');
      expect(faultOf(met(code)).endsConnection).toBe(true);
    },
  );

  it('has the code of the first address where several were tried', () => {
    const error = new AggregateError([met('ECONNREFUSED'), met('EHOSTUNREACH')], '');
    expect(toStoreError(error).message).toContain('cannot be reached (ECONNREFUSED)');
  });

  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', '(DEPTH_ZERO_SELF_SIGNED_CERT)'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', '(ERR_TLS_CERT_ALTNAME_INVALID)'],
    ['CERT_HAS_EXPIRED', '(CERT_HAS_EXPIRED)'],
  ])('is no matter of waiting when a certificate is not trusted: %s', (code, sentence) => {
    const error = toStoreError(met(code));
    expect(error.message).toContain(`The database cannot be reached by TLS ${sentence}: give sslmode`);
    expect(error).not.toBeInstanceOf(DatabaseAwayError);
  });

  it.each([
    ['Query read timeout', 'does not answer in time', true],
    ['Connection terminated due to connection timeout', 'does not answer in time', true],
    ['timeout exceeded when trying to connect', 'became free in time', true],
    ['Connection terminated unexpectedly', 'cannot be reached', true],
    ['Client has encountered a connection error and is not queryable', 'cannot be reached', true],
    ['The server does not support SSL connections', 'by TLS', false],
    ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'asks for a password', false],
    ['Cannot use a pool after calling end on the pool', 'The store is closed', false],
  ])('is known by what pg says: %s', (message, sentence, isAway) => {
    const error = toStoreError(new Error(message));
    expect(error.message).toContain(sentence);
    expect(error instanceof DatabaseAwayError).toBe(isAway);
    expect(faultOf(new Error(message)).endsConnection).toBe(true);
  });
});

describe('anything else that was thrown', () => {
  it.each([
    [new RangeError('a number is beyond 2^53'), 'could not be used (a number is beyond 2^53)'],
    ['a text', 'could not be used (a text)'],
    [null, 'could not be used (null)'],
  ])('is a StoreError, too: %p', (thrown, sentence) => {
    expect(storeErrorOf(faultOf(thrown)).message).toContain(sentence);
  });

  it('stays as it is when it is one already', () => {
    const error = new StoreError('something');
    expect(toStoreError(error)).toBe(error);
    expect([sqlStateOf(error), sqlStateOf(new Error('x')), sqlStateOf(undefined)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
