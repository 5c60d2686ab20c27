/** What the service and its client say for callers of HTTP and of code, and what it is on a command line. */
const WORDS: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [/\{"budget": \{([^{}]*)\}\}/g, (_all, fields = '') => `flowgate resume <runId>${budgetOptions(fields)}`],
  [/and is baseUrl its address\?/g, 'and is --server its address?'],
  [/: set baseUrl to the address/g, ': set --server to the address'],
  [/: check baseUrl, and/g, ': check --server, and'],
  [/^baseUrl (?=is no address|must )/g, '--server '],
  [/, or leave it out to run in process/g, ''],
  [/: give the call a longer timeoutMs/g, ': see whether it is busy, and try again'],
  [/^namespace (?=must )/g, '--namespace '],
  [
    /: send Authorization: Bearer <key or token>/g,
    ': put one into FLOWGATE_TOKEN, or name a file that holds one with --token-file',
  ],
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
  [
    /: GET \/whoami lists the namespaces that are/g,
    ': flowgate whoami lists those that are; name one with --namespace or FLOWGATE_NAMESPACE',
  ],
  [
    /^Nothing is at [A-Z]+ \/(?:keys|owners|audit)\b[^]*/g,
    'This server asks nobody who they are, so there is nothing of this: start it with FLOWGATE_AUTH=keys',
  ],
  [/: GET \/keys lists those that there are/g, ': flowgate keys lists those that there are'],
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
