/** Characters of a document that is read on the event loop: some 50 ms at the worst, compiling included. */
const LOOP_LENGTH = 16_384;
/** An anchor and an alias: a short text with these can come to a long document. */
const ALIASES = /(?:^|[\s[{,])&\S[^]*[\s[{,]\*[^\s*]/;

/** Whether the document may be read on the event loop; any other is for a thread. */
export function isShortDocument(yaml: string): boolean {
  return yaml.length <= LOOP_LENGTH && !ALIASES.test(yaml);
}
