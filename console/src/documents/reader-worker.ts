import { readText } from '../../../src/engine/language/reader/read-document.js';
import type { ReaderAnswer, ReaderQuestion } from './reader-messages.js';

/** Reads YAML next to the page: a document of 2 MiB takes longer than a frame. */
const scope = globalThis as unknown as {
  addEventListener(type: 'message', listener: (message: { readonly data: ReaderQuestion }) => void): void;
  postMessage(answer: ReaderAnswer): void;
};

scope.addEventListener('message', ({ data: { id, yaml } }) => {
  const reading = readText(yaml);
  scope.postMessage({ id, document: reading.ok ? reading.value : null });
});
