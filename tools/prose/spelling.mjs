// The spelling of the docs: cspell finds the words that its dictionaries do not have, and spelling.txt has those of them that are right.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LIST = 'tools/prose/spelling.txt';
const UNKNOWN = /^(.+:\d+:\d+) - Unknown word \((.+?)\)/;

/** `output`: what cspell prints. Gives `[{ place, word }]`. */
export function unknownIn(output) {
  return output.split('\n').flatMap((line) => {
    const [, place, word] = UNKNOWN.exec(line) ?? [];
    return word === undefined ? [] : [{ place, word }];
  });
}

/** As the list has it: in small letters, and not as a possessive. */
const listed = (word) => word.toLowerCase().replace(/['’]s$/, '');

/** `list`: our words. What is unknown and not listed is a fault, and so is what is listed and not unknown. */
export function spellingFaults(unknown, list) {
  const ours = new Set(list.map(listed));
  const met = new Set(unknown.map(({ word }) => listed(word)));
  return [
    ...unknown
      .filter(({ word }) => !ours.has(listed(word)))
      .map(({ place, word }) => `${place}: unknown word "${word}": correct it, or add it to ${LIST}`),
    ...list
      .filter((word) => !met.has(listed(word)))
      .map((word) => `${LIST}: no page needs "${word}": remove it`),
  ];
}

/** Checks these pages; throws where cspell cannot. */
export function spelling(pages) {
  const { stdout, stderr, status, error } = spawnSync(
    process.execPath,
    [
      'node_modules/cspell/bin.mjs',
      'lint',
      '--config',
      'tools/prose/cspell.json',
      '--disable-dictionary',
      'ours',
      '--no-progress',
      '--no-summary',
      '--no-color',
      '--relative',
      ...pages,
    ],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  // 1 is how it says that there are unknown words.
  if (status !== 0 && status !== 1)
    throw new Error(`cspell ended with ${status}: ${stderr}`, { cause: error });
  return spellingFaults(unknownIn(stdout), readFileSync(LIST, 'utf8').split('\n').filter(Boolean));
}
