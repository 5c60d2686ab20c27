import type { Ajv2020 } from 'ajv/dist/2020.js';
import { loadAjvFormats } from './ajv.js';

/** Characters of a text that must be a regular expression. */
const MAX_REGEX_LENGTH = 10_000;

/** All formats of the library read a text once from left to right, but for the two that are replaced here. */
export function addBoundedFormats(ajv: Ajv2020): void {
  loadAjvFormats()(ajv);
  ajv.addFormat('url', isWebAddress);
  ajv.addFormat('regex', isRegex);
}

/** The library's own expression is quadratic in the text's length. */
function isWebAddress(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text);
}

function isRegex(text: string): boolean {
  if (text.length > MAX_REGEX_LENGTH) return false;
  try {
    return RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
