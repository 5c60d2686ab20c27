const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const MAX_HEADERS = 100;
const MAX_NAME_LENGTH = 256;
const MAX_VALUE_LENGTH = 8192;

/** These headers frame the message or the connection: with a foreign value no call could succeed. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** `name` is null where the headers as a whole are at fault. */
export interface HeaderFault {
  readonly name: string | null;
  /** Follows the header's name; never holds its value. */
  readonly problem: string;
}

/** Every fault of a binding's `headers`: an object of valid names to values that fit on one line. */
export function faultsOfHeaders(headers: unknown): readonly HeaderFault[] {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    return [{ name: null, problem: 'must be an object of strings' }];
  }
  const entries = Object.entries(headers as Readonly<Record<string, unknown>>);
  if (entries.length > MAX_HEADERS)
    return [{ name: null, problem: `must be at most ${MAX_HEADERS} headers` }];
  const faults: HeaderFault[] = [];
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    const problem = seen.has(lower) ? 'is given twice' : (problemOfName(lower) ?? problemOfValue(value));
    seen.add(lower);
    if (problem !== null) faults.push({ name, problem });
  }
  return faults;
}

function problemOfName(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH || !TOKEN.test(name) || name === '__proto__')
    return 'is not a header name';
  if (FRAMING.has(name)) return 'cannot be set: it frames the message; leave it out';
  return null;
}

function problemOfValue(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > MAX_VALUE_LENGTH) return `must be at most ${MAX_VALUE_LENGTH} characters long`;
  return VALUE.test(value) ? null : 'must be one line of Latin-1 characters without control characters';
}
