import { reworded, WORDS_OF_CLIENTS, WORDS_OF_COMMANDS } from '../errors/wording.js';

/** What the client says of its own options, and the service of fields, and what that is on a command line. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/and is baseUrl its address\?/g, 'and is --server its address?'],
  [/: set baseUrl to the address/g, ': set --server to the address'],
  [/: check baseUrl, and/g, ': check --server, and'],
  [/^baseUrl (?=is no address|must )/g, '--server '],
  [/, or leave it out to run in process/g, ''],
  [/: give the call a longer (?:timeoutMs|maxSilenceMs)/g, ': see whether it is busy, and try again'],
  [/^namespace (?=must )/g, '--namespace '],
  [/\nGive the client a token$/g, ''],
  [
    /The token that the client has is not good: .*$/g,
    'The one in FLOWGATE_TOKEN is wrong, expired or revoked',
  ],
  [
    /The function that the client has as its token gave one that is not good/g,
    'The one in the file of --token-file is wrong, expired or revoked',
  ],
  [
    /(This needs the permission .* in the namespace .*: ask whoever manages access for it)/g,
    '$1, or name another namespace with --namespace or FLOWGATE_NAMESPACE',
  ],
  [/name one of them by gateId/g, 'name one of them with --gate'],
  [/: send an occurrence of at most/g, ': give --occurrence of at most'],
  [/: name it with from\.unitId/g, ': name it with --unit'],
];

/** A message of the client in the words of the command line: the command or the option, where it names a method or a field. */
export function inCommandWords(message: string): string {
  const said = reworded(message, WORDS_OF_CLIENTS, WORDS_OF_COMMANDS);
  return WORDS.reduce((text, [theirs, ours]) => text.replaceAll(theirs, ours), said);
}

/** How a stored error ends that says how a budget is raised; what else is stored with a run, a unit or a document said. */
const USED_UP =
  /^(Unit \S+ was not called: the run has used .*, its budget\. Resume the run with a higher one: )\{"budget": \{([^{}]*)\}\}$/u;

/** An error that is stored with a run, with a command where the service names a field. */
export function storedInCommandWords(error: string): string {
  const [, before = '', fields = ''] = USED_UP.exec(error) ?? [];
  return before === '' ? error : `${before}flowgate resume <runId>${budgetOptions(fields)}`;
}

function budgetOptions(fields: string): string {
  const limits = [
    ['"maxTokens"', ' --max-tokens …'],
    ['"maxCost"', ' --max-cost …'],
  ] as const;
  return limits.flatMap(([field, option]) => (fields.includes(field) ? [option] : [])).join('');
}
