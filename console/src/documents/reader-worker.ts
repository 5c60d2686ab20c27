import { readingOf } from './text-reading.js';
import { readText } from '../../../src/engine/language/reader/read-document.js';
import type { JsonValue } from '../../../clients/typescript/src/types/json.js';
import type { ReaderAnswer, ReaderQuestion } from './reader-messages.js';

/** Reads YAML next to the page: a document of 2 MiB takes longer than a frame. */
const scope = globalThis as unknown as {
  addEventListener(type: 'message', listener: (message: { readonly data: ReaderQuestion }) => void): void;
  postMessage(answer: ReaderAnswer): void;
};

scope.addEventListener('message', ({ data: { id, yaml, wants } }) => {
  scope.postMessage({ id, answer: wants === 'reading' ? readingOf(yaml) : documentIn(yaml) });
});

function documentIn(yaml: string): JsonValue | null {
  const reading = readText(yaml);
  return reading.ok ? reading.value : null;
}
