/**
 * Who reads an error. What it tells people to do is a route and a header over HTTP, a method and an option in code, an argument of
 * a tool over MCP, an option on the command line: an error leaves that word open, and each surface fills in its own.
 */
export type Surface = 'http' | 'host' | 'client' | 'mcp' | 'command';

/**
 * What there is a word for, by its name over HTTP. Each surface has a table of its own, so that whoever reads two, such as a client,
 * carries no other.
 */
const OVER_HTTP = {
  token: 'send Authorization: Bearer <key or token>',
  grantedNamespaces: 'GET /whoami lists the namespaces that are',
  keys: 'GET /keys lists those that there are',
  runs: 'GET /runs lists the runs that are kept, and GET /runs?id=… those whose id begins so',
  versions: 'GET /workflows/:id/versions names those',
  compensation: 'read the run (view=full) to see how it stands',
  idempotencyKey: 'The Idempotency-Key',
  newKey: 'send a new key',
  exported: 'send what GET …/export answered',
} as const;

type Name = keyof typeof OVER_HTTP;
/** What has no word of its own there does not occur there, or is the same as over HTTP. */
type OwnWords = Readonly<Partial<Record<Name, string>>>;

/** Of callers in code: a host and the engine, where they have such a thing, and the clients, which call it alike. */
const IN_CODE: OwnWords = {
  token: 'give the client a token',
  grantedNamespaces: 'whoami() lists the namespaces that are',
  keys: 'listKeys() lists those that there are',
  runs: 'listRuns() lists the runs that are kept, and with idPrefix those whose id begins so',
  versions: 'listVersions() names those',
  compensation: 'its compensation in listRuns() says how it stands',
  idempotencyKey: 'The idempotencyKey',
  newKey: 'give a new one',
  exported: 'give what exportRun() gave',
};

const OVER_MCP: OwnWords = {
  runs: 'list_runs lists the runs that are kept, and with id those whose id begins so',
  compensation: 'its compensation in list_runs says how it stands',
};

const ON_THE_COMMAND_LINE: OwnWords = {
  token: 'put one into FLOWGATE_TOKEN, or name a file that holds one with --token-file',
  grantedNamespaces: 'flowgate whoami lists those that are; name one with --namespace or FLOWGATE_NAMESPACE',
  keys: 'flowgate keys lists those that there are',
  runs: 'flowgate runs lists the runs that are kept, and flowgate runs --id … those',
  versions: 'flowgate versions <workflowId> names those',
  compensation: 'flowgate describe <runId> shows how it stands',
  idempotencyKey: 'The --key',
  newKey: 'give a new one',
  exported: 'give what flowgate export wrote',
};

/**
 * What the line of an error has before its word, as a pattern: elsewhere the same words are somebody's own, such as a key that a
 * caller made up.
 */
const BEFORE: Readonly<Record<Name, string>> = {
  token: 'This needs a valid key or token: ',
  grantedNamespaces: 'Nothing is granted in the namespace .*: ',
  keys: 'There is no key .*: ',
  runs: '',
  versions: 'The workflow .*: ',
  compensation: 'No compensation of the run .*: ',
  idempotencyKey: '',
  newKey: 'The \\S+ .* stands for another request: ',
  exported: 'The first line is no header of an export .*: ',
};

/** The words that an error leaves open. */
export type Words = Readonly<Record<Name, string>> & {
  /** A setting by its variable; the option of a host that is the same. */
  setting(variable: string): string;
};

export const WORDS_OF_HTTP: Words = /* @__PURE__ */ wordsOf({});
export const WORDS_OF_CLIENTS: Words = /* @__PURE__ */ wordsOf(IN_CODE);
export const WORDS_OF_COMMANDS: Words = /* @__PURE__ */ wordsOf(ON_THE_COMMAND_LINE);

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
export function reworded(text: string, from: Words, to: Words): string {
  return (Object.keys(BEFORE) as Name[]).reduce((said, name) => {
    const place = new RegExp(`^(${BEFORE[name]})${escaped(from[name])}`, 'gmu');
    return said.replaceAll(place, (_all, before: string) => before + to[name]);
  }, text);
}

/** What comes before each word, for a client in another language. */
export function placesOfWords(): Readonly<Record<string, string>> {
  return BEFORE;
}

const WORDS: Readonly<Record<Surface, Words>> = {
  http: WORDS_OF_HTTP,
  host: /* @__PURE__ */ wordsOf(IN_CODE, optionOf),
  client: WORDS_OF_CLIENTS,
  mcp: /* @__PURE__ */ wordsOf(OVER_MCP),
  command: WORDS_OF_COMMANDS,
};

function wordsOf(own: OwnWords, setting: Words['setting'] = (variable) => variable): Words {
  return { ...OVER_HTTP, ...own, setting };
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
