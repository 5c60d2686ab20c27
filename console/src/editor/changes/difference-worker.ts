import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { DifferenceAnswer, DifferenceQuestion } from './difference-messages.js';

/** As the service compares versions. */
const CONTEXT = 3;
const WITHIN_MS = 2_000;
const MOST_CHARACTERS = 256 * 1_024;

/** Compares texts next to the page: of long ones that have little in common it takes seconds. */
const scope = globalThis as unknown as {
  addEventListener(type: 'message', listener: (message: { readonly data: DifferenceQuestion }) => void): void;
  postMessage(answer: DifferenceAnswer): void;
};

scope.addEventListener('message', ({ data: { from, to } }) => {
  const options = { context: CONTEXT, timeout: WITHIN_MS, headerOptions: FILE_HEADERS_ONLY };
  const patch =
    from === to ? '' : createTwoFilesPatch('registered', 'draft', from, to, undefined, undefined, options);
  scope.postMessage(patch === undefined || patch.length > MOST_CHARACTERS ? null : patch);
});
