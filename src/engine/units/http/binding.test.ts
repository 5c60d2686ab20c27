import { parseBindings, unsupportedFields } from './binding.js';

const ENDPOINT = 'https://units.example/extract';

function faultsOf(value: unknown): readonly string[] {
  const parsed = parseBindings(value);
  return parsed.ok ? [] : parsed.faults.map(({ message }) => message);
}

const faultsOfOne = (binding: object): readonly string[] =>
  faultsOf({ 'acme.x': { type: 'http', endpoint: ENDPOINT, ...binding } });

describe('bindings', () => {
  test('are none when they are absent, null or empty', () => {
    for (const value of [undefined, null, {}]) {
      expect(parseBindings(value)).toEqual({ ok: true, bindings: new Map() });
    }
  });

  test('are read with all their fields', () => {
    const given = {
      type: 'http',
      endpoint: 'http://user:pw@127.0.0.1:8080/a?b=c',
      headers: { Authorization: 'Bearer t', 'X-Empty': '' },
      callback: true,
      signingSecret: 's',
      timeoutMs: 86_400_000,
    };
    const parsed = parseBindings({ 'acme.x': given });
    expect(parsed).toEqual({ ok: true, bindings: new Map([['acme.x', given]]) });
  });

  test('have defaults for what is absent or null', () => {
    const expected = {
      type: 'http',
      endpoint: ENDPOINT,
      headers: {},
      callback: false,
      signingSecret: null,
      timeoutMs: null,
    };
    const nulls = { headers: null, callback: null, signingSecret: null, timeoutMs: null };
    for (const more of [{}, nulls]) {
      const parsed = parseBindings({ a: { type: 'http', endpoint: ENDPOINT, ...more } });
      expect(parsed).toEqual({ ok: true, bindings: new Map([['a', expected]]) });
    }
  });

  test('do not change with the object that they were read from', () => {
    const given = { a: { type: 'http', endpoint: ENDPOINT, headers: { A: '1' } } };
    const parsed = parseBindings(given);
    given.a.headers.A = '2';
    expect(parsed.ok && parsed.bindings.get('a')?.headers).toEqual({ A: '1' });
  });

  test.each([[[]], ['text'], [1], [true]])('that are %j are a fault', (value) => {
    expect(faultsOf(value)).toEqual(['bindings must be an object']);
  });

  test('name every fault with its path', () => {
    expect(
      faultsOf({
        'acme.x': { type: 'grpc', endpoint: 5, timeout: 1 },
        'acme.y': null,
        'acme.z': { type: 'http' },
      }),
    ).toEqual([
      'bindings["acme.x"].type must be "http"',
      'bindings["acme.x"].endpoint must be a string: an absolute http or https URL',
      'bindings["acme.x"]["timeout"] is not a field of a binding; use type, endpoint, headers, callback, signingSecret, timeoutMs',
      'bindings["acme.y"] must be an object',
      'bindings["acme.z"].endpoint must be a string: an absolute http or https URL',
    ]);
  });

  test.each([
    ['/relative', 'must be an absolute http or https URL'],
    ['ftp://units.example/', 'must be an absolute http or https URL'],
    ['http:units.example', 'must be an absolute http or https URL'],
    ['http://', 'must be an absolute http or https URL'],
    ['http://units.example:99999/', 'must be an absolute http or https URL'],
    [' http://units.example/', 'must not hold white space or control characters'],
    ['http://units.example/\n', 'must not hold white space or control characters'],
    [`http://units.example/${'x'.repeat(8192)}`, 'must be at most 8192 characters long'],
  ])('an endpoint %j is a fault', (endpoint, problem) => {
    expect(faultsOfOne({ endpoint })).toEqual([`bindings["acme.x"].endpoint ${problem}`]);
  });

  test.each<[unknown, string]>([
    [[], '.headers must be an object of strings'],
    ['A: 1', '.headers must be an object of strings'],
    [{ 'A B': '1' }, '.headers["A B"] is not a header name'],
    [{ '': '1' }, '.headers[""] is not a header name'],
    [JSON.parse('{"__proto__":"1"}'), '.headers["__proto__"] is not a header name'],
    [{ A: 1 }, '.headers["A"] must be a string'],
    [
      { A: 's3cret\r\nB: 2' },
      '.headers["A"] must be one line of Latin-1 characters without control characters',
    ],
    [{ A: '\u0000' }, '.headers["A"] must be one line of Latin-1 characters without control characters'],
    [{ A: '日' }, '.headers["A"] must be one line of Latin-1 characters without control characters'],
    [{ A: 'x'.repeat(8193) }, '.headers["A"] must be at most 8192 characters long'],
    [{ Authorization: '1', authorization: '2' }, '.headers["authorization"] is given twice'],
    [
      { 'Content-Length': '0' },
      '.headers["Content-Length"] cannot be set: it frames the message; leave it out',
    ],
  ])('headers %j are a fault', (headers, problem) => {
    expect(faultsOfOne({ headers })).toEqual([`bindings["acme.x"]${problem}`]);
  });

  test('more than 100 headers are a fault', () => {
    const headers = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`X-${i}`, '1']));
    expect(faultsOfOne({ headers })).toEqual(['bindings["acme.x"].headers must be at most 100 headers']);
  });

  test.each([
    ['callback', 'yes', 'must be true or false'],
    ['signingSecret', '', 'must be a string of 1 to 1024 characters'],
    ['signingSecret', 7, 'must be a string of 1 to 1024 characters'],
    ['timeoutMs', 0, 'must be a whole number of milliseconds from 1 to 86400000'],
    ['timeoutMs', 1.5, 'must be a whole number of milliseconds from 1 to 86400000'],
    ['timeoutMs', 86_400_001, 'must be a whole number of milliseconds from 1 to 86400000'],
    ['timeoutMs', '5', 'must be a whole number of milliseconds from 1 to 86400000'],
  ])('%s %j is a fault', (field, value, problem) => {
    expect(faultsOfOne({ [field]: value })).toEqual([`bindings["acme.x"].${field} ${problem}`]);
  });

  test('may be named like members of every object, but not __proto__, nor nothing', () => {
    const one = `{"type":"http","endpoint":"${ENDPOINT}"}`;
    const parsed = parseBindings(JSON.parse(`{"constructor":${one},"toString":${one}}`));
    expect(parsed.ok && [...parsed.bindings.keys()]).toEqual(['constructor', 'toString']);
    const named = 'must be named by a `uses` of 1 to 256 characters without control characters';
    expect(faultsOf(JSON.parse(`{"__proto__":${one},"":${one}}`))).toEqual([
      `bindings["__proto__"] ${named}`,
      `bindings[""] ${named}`,
    ]);
    expect(faultsOfOne(JSON.parse('{"constructor":1}') as object)).toHaveLength(1);
  });

  test("never repeat a header's value, an address or a secret in a fault", () => {
    const text = faultsOfOne({
      endpoint: 'ftp://user:hunter2@host/',
      headers: { A: 'hunter2\n' },
      signingSecret: ['hunter2'],
      callback: 'hunter2',
    }).join();
    expect(text).toContain('endpoint');
    expect(text).not.toContain('hunter2');
  });

  test('may be 10,000, and report at most 100 faults', () => {
    const many = (count: number, binding: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`u${i}`, binding]));
    expect(parseBindings(many(10_000, { type: 'http', endpoint: ENDPOINT })).ok).toBe(true);
    expect(faultsOf(many(10_001, {}))).toEqual(['bindings must be at most 10000 bindings']);
    expect(faultsOf(many(10_000, {}))).toHaveLength(100);
    expect(faultsOfOne(many(5000, 1))).toHaveLength(100);
  });
});

describe('what this version cannot do yet', () => {
  test('is named field by field, and nothing else is', () => {
    const parsed = parseBindings({
      a: { type: 'http', endpoint: ENDPOINT, callback: true, signingSecret: 's' },
      b: { type: 'http', endpoint: ENDPOINT, callback: false, timeoutMs: 5 },
    });
    if (!parsed.ok) throw new Error('has faults');
    expect(unsupportedFields(parsed.bindings)).toEqual([
      {
        path: 'bindings["a"].callback',
        message: 'bindings["a"].callback is not supported yet; leave it out',
      },
      {
        path: 'bindings["a"].signingSecret',
        message: 'bindings["a"].signingSecret is not supported yet; leave it out',
      },
    ]);
  });
});
