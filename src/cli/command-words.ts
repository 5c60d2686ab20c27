/** What the service and its client say for callers of HTTP and of code, and what it is on a command line. */
const WORDS: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [/\{"budget": \{([^{}]*)\}\}/g, (_all, fields = '') => `flowgate resume <runId>${budgetOptions(fields)}`],
  [/and is baseUrl its address\?/g, 'and is --server its address?'],
  [/: set baseUrl to the address/g, ': set --server to the address'],
  [/: check baseUrl, and/g, ': check --server, and'],
  [/^baseUrl (?=is no address|must )/g, '--server '],
  [/, or leave it out to run in process/g, ''],
  [/: give the call a longer timeoutMs/g, ': see whether it is busy, and try again'],
  [/name one of them by gateId/g, 'name one of them with --gate'],
  [
    /GET \/runs lists the runs that are kept, and GET \/runs\?id=… those/g,
    'flowgate runs lists the runs that are kept, and flowgate runs --id … those',
  ],
  [/: GET \/workflows\/:id\/versions names those/g, ': flowgate versions <workflowId> names those'],
  [/: send an occurrence of at most/g, ': give --occurrence of at most'],
  [/: name it with from\.unitId/g, ': name it with --unit'],
];

/** A message of the service in the words of the command line: the option, where it names a field of HTTP or of the client. */
export function inCommandWords(message: string): string {
  return WORDS.reduce((text, [theirs, ours]) => text.replaceAll(theirs, ours as string), message);
}

function budgetOptions(fields: string): string {
  const limits = [
    ['"maxTokens"', ' --max-tokens …'],
    ['"maxCost"', ' --max-cost …'],
  ] as const;
  return limits.flatMap(([field, option]) => (fields.includes(field) ? [option] : [])).join('');
}
