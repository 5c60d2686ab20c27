import { connectionSettings, quotedSchema } from './connection-settings.js';

const ADDRESS = 'postgresql://flow:p%40ss@db.example.com:5433/work';

const read = (url: string): string => connectionSettings(url).connectionString;

describe('the URL of the database', () => {
  it.each([
    ADDRESS,
    'postgres://localhost/work',
    'POSTGRES://localhost',
    'postgresql:///work?host=/var/run/postgresql',
  ])('is given to pg as it is: %s', (url) => {
    expect(read(url)).toBe(url);
  });

  it.each([
    ['mysql://user:secret@host/db', 'begins with mysql://'],
    ['user:secret@host/db', 'begins with something else'],
    ['postgres:secret', 'begins with something else'],
    ['postgresql://', 'begins with postgresql://'],
    ['', 'begins with something else'],
  ])('is refused without being shown: %s', (url, sentence) => {
    expect(() => read(url)).toThrow(sentence);
    expect(() => read(url)).toThrow(expect.objectContaining({ code: 'store', permanent: true }));
    expect(() => read(url)).not.toThrow('secret');
  });

  it('keeps where the server is and how it is encrypted, and no setting that is ours', () => {
    const kept = 'sslmode=verify-full&sslrootcert=/etc/ca.pem&options=-c%20geqo%3Doff';
    const dropped = 'statement_timeout=0&max=99&application_name=x&channel_binding=require&types=1';
    expect(read(`${ADDRESS}?${dropped}&${kept}`)).toBe(`${ADDRESS}?${kept}`);
    expect(read(`${ADDRESS}?${dropped}`)).toBe(ADDRESS);
  });

  it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
    'has sslmode=%s read as pg does, without a warning',
    (mode) => {
      expect(read(`${ADDRESS}?sslmode=${mode}`)).toBe(`${ADDRESS}?sslmode=verify-full`);
    },
  );

  it.each(['disable', 'no-verify'])('may say sslmode=%s', (mode) => {
    expect(read(`${ADDRESS}?sslmode=${mode}`)).toBe(`${ADDRESS}?sslmode=${mode}`);
  });

  it('may ask for the meaning that psql gives to sslmode', () => {
    const query = 'uselibpqcompat=true&sslmode=require';
    expect(read(`${ADDRESS}?${query}`)).toBe(`${ADDRESS}?${query}`);
  });

  it.each(['allow', 'verifyfull', ''])(
    'is refused with an sslmode that pg would take for another: %p',
    (mode) => {
      expect(() => read(`${ADDRESS}?sslmode=${mode}`)).toThrow(
        'unknown sslmode: use one of disable, no-verify',
      );
    },
  );
});

describe('the name of the schema', () => {
  it.each(['flowgate', 'public', '_a1', 'Mixed'])('is quoted, so that its case counts: %s', (name) => {
    expect(quotedSchema(name)).toBe(`"${name}"`);
  });

  it.each([
    '',
    '1a',
    'a-b',
    'a"b',
    "a'b",
    'a.b',
    'pg_flow',
    'PG_x',
    'information_schema',
    'ä',
    'a'.repeat(64),
    'a\n',
  ])('is refused when PostgreSQL would not have it, or not whole: %p', (name) => {
    expect(() => quotedSchema(name)).toThrow('letters, digits and underscores');
  });
});
