/** Texts that YAML reads as themselves wherever they stand. */
const PLAIN = /^[A-Za-z_][\w./-]*$/;
/** Texts that YAML reads as something else. */
const WORD = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** The text as it has to be written so that YAML reads it back. */
export function asScalar(text: string): string {
  return PLAIN.test(text) && !WORD.test(text) ? text : JSON.stringify(text);
}
