/**
 * Who reads an error. What it tells people to do is a route and a header over HTTP, a method and an option in code, an argument of
 * a tool over MCP, an option on the command line: an error leaves that word open, and each surface fills in its own.
 */
export type Surface = 'http' | 'host' | 'client' | 'mcp' | 'command';

interface Row {
  /**
   * What the line of an error has before it, as a pattern: elsewhere the same words are somebody's own, such as a key that a caller
   * made up.
   */
  readonly before: string;
  readonly http: string;
  /** Of callers in code: a host and the engine, where they have such a thing, and the clients, which call it alike. */
  readonly code?: string;
  readonly mcp?: string;
  readonly command?: string;
}

/** One thing a row. What has no word of its own somewhere does not occur there, or is the same. */
const ROWS = {
  token: {
    before: 'This needs a valid key or token: ',
    http: 'send Authorization: Bearer <key or token>',
    code: 'give the client a token',
    command: 'put one into FLOWGATE_TOKEN, or name a file that holds one with --token-file',
  },
  grantedNamespaces: {
    before: 'Nothing is granted in the namespace .*: ',
    http: 'GET /whoami lists the namespaces that are',
    code: 'whoami() lists the namespaces that are',
    command: 'flowgate whoami lists those that are; name one with --namespace or FLOWGATE_NAMESPACE',
  },
  keys: {
    before: 'There is no key .*: ',
    http: 'GET /keys lists those that there are',
    code: 'listKeys() lists those that there are',
    command: 'flowgate keys lists those that there are',
  },
  runs: {
    before: '',
    http: 'GET /runs lists the runs that are kept, and GET /runs?id=… those whose id begins so',
    code: 'listRuns() lists the runs that are kept, and with idPrefix those whose id begins so',
    mcp: 'list_runs lists the runs that are kept, and with id those whose id begins so',
    command: 'flowgate runs lists the runs that are kept, and flowgate runs --id … those',
  },
  versions: {
    before: 'The workflow .*: ',
    http: 'GET /workflows/:id/versions names those',
    code: 'listVersions() names those',
    command: 'flowgate versions <workflowId> names those',
  },
  compensation: {
    before: 'No compensation of the run .*: ',
    http: 'read the run (view=full) to see how it stands',
    code: 'its compensation in listRuns() says how it stands',
    mcp: 'its compensation in list_runs says how it stands',
    command: 'flowgate describe <runId> shows how it stands',
  },
  idempotencyKey: {
    before: '',
    http: 'The Idempotency-Key',
    code: 'The idempotencyKey',
    command: 'The --key',
  },
  newKey: {
    before: 'The \\S+ .* stands for another request: ',
    http: 'send a new key',
    code: 'give a new one',
    command: 'give a new one',
  },
  exported: {
    before: 'The first line is no header of an export .*: ',
    http: 'send what GET …/export answered',
    code: 'give what exportRun() gave',
    command: 'give what flowgate export wrote',
  },
} as const satisfies Readonly<Record<string, Row>>;

const NAMES = Object.keys(ROWS) as (keyof typeof ROWS)[];

/** The words that an error leaves open. */
type Words = Readonly<Record<keyof typeof ROWS, string>> & {
  /** A setting by its variable; the option of a host that is the same. */
  setting(variable: string): string;
};

/** A text, or one with words left open. */
export type Wording = string | ((words: Words) => string);

/** The text in the words of a surface. */
export function worded(wording: Wording, surface: Surface): string {
  return typeof wording === 'function' ? wording(WORDS[surface]) : wording;
}

/**
 * What somebody else has worded already, for whoever has only the text: a client, of what the service says. What callers, units
 * and documents brought into it stays as it is.
 */
export function reworded(text: string, from: Surface, to: Surface): string {
  return NAMES.reduce((said, name) => {
    const place = new RegExp(`^(${ROWS[name].before})${escaped(WORDS[from][name])}`, 'gmu');
    return said.replaceAll(place, (_all, before: string) => before + WORDS[to][name]);
  }, text);
}

/** What comes before each word, for a client in another language. */
export function placesOfWords(): Readonly<Record<keyof typeof ROWS, string>> {
  return Object.fromEntries(NAMES.map((name) => [name, ROWS[name].before])) as Record<
    keyof typeof ROWS,
    string
  >;
}

const WORDS: Readonly<Record<Surface, Words>> = {
  http: wordsOf(({ http }) => http),
  host: { ...wordsOf(({ http, code = http }) => code), setting: optionOf },
  client: wordsOf(({ http, code = http }) => code),
  mcp: wordsOf(({ http, mcp = http }) => mcp),
  command: wordsOf(({ http, command = http }) => command),
};

function wordsOf(word: (row: Row) => string): Words {
  const words = Object.fromEntries(NAMES.map((name) => [name, word(ROWS[name])])) as Record<
    keyof typeof ROWS,
    string
  >;
  return { ...words, setting: (variable) => variable };
}

/** `FLOWGATE_MAX_WORKFLOWS` is the option `maxWorkflows`. */
function optionOf(variable: string): string {
  // The one that has another unit.
  if (variable === 'FLOWGATE_RETENTION_DAYS') return 'retentionMs';
  return variable
    .replace(/^FLOWGATE_/, '')
    .toLowerCase()
    .replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
