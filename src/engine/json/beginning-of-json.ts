import { isSurelyWithin } from '../core/json-size.js';
import type { JsonObject, JsonValue } from '../core/json.js';

/**
 * At least the first `chars` characters of what `JSON.stringify` makes of the value, or all of it. No more than that is
 * written of a large value: half a million numbers take 60 ms.
 */
export function beginningOfJson(value: JsonValue, chars: number): string {
  if (typeof value === 'string') return beginningOfText(value, chars);
  if (typeof value !== 'object' || value === null || isSurelyWithin(value, chars))
    return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      text += `${text === '' ? '[' : ','}${beginningOfJson(item, chars - text.length)}`;
      if (text.length >= chars) return text;
    }
    return text === '' ? '[]' : `${text}]`;
  }
  for (const [key, field] of Object.entries(value as JsonObject)) {
    if (field === undefined) continue;
    text += `${text === '' ? '{' : ','}${JSON.stringify(key)}:${beginningOfJson(field, chars - text.length)}`;
    if (text.length >= chars) return text;
  }
  return text === '' ? '{}' : `${text}}`;
}

function beginningOfText(text: string, chars: number): string {
  if (text.length <= chars) return JSON.stringify(text);
  const end = Math.max(chars, 1);
  const last = text.charCodeAt(end - 1);
  // The halves of a pair stay together: each alone would be written as an escape.
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return JSON.stringify(text.slice(0, isHalf ? end + 1 : end)).slice(0, -1);
}
