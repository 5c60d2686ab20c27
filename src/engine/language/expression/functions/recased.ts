import { chargeBuilt, chargeWork } from '../budget.js';

const ASCII_ONLY = /^[\0-\x7f]*$/;
const CASE_BIT = 0x20;
/** Characters that are converted at once. */
const PIECE = 8_192;
/** Work for each character. */
const CODE_WORK = 6;

/** The text with the ASCII letters in that case, and all others unchanged; the time depends on its length only. */
export function recased(text: string, to: 'upper' | 'lower'): string {
  chargeBuilt(text.length);
  if (ASCII_ONLY.test(text)) return to === 'upper' ? text.toUpperCase() : text.toLowerCase();
  // Beyond ASCII the built-in functions change more, and a replacing function would be called for each run of letters.
  chargeWork(text.length * CODE_WORK);
  const first = to === 'upper' ? 0x61 : 0x41;
  const codes = new Uint16Array(PIECE);
  let changed = '';
  for (let from = 0; from < text.length; from += PIECE) {
    const length = Math.min(PIECE, text.length - from);
    for (let i = 0; i < length; i += 1) {
      const code = text.charCodeAt(from + i);
      codes[i] = code >= first && code < first + 26 ? code ^ CASE_BIT : code;
    }
    changed += String.fromCharCode.apply(null, codes.subarray(0, length) as unknown as number[]);
  }
  return changed;
}
