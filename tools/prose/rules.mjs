// The rules of the docs' English, as pure functions of a page: words that another word replaces, long sentences, long lines of tables.
import { readPage } from './page.mjs';

const MAX_SENTENCE_WORDS = 35;
const MAX_TABLE_LINE = 250;

/** Where one sentence ends and another begins: `?!.`, perhaps closed by a bracket, and then no small letter. */
const BETWEEN_SENTENCES = /(?<=[.!?][)\]"'”’*_]*)\s+(?=[^\p{Ll}\s])/u;

function sentencesOf(text) {
  return text.split(BETWEEN_SENTENCES);
}

/** What stands alone between blanks and has a letter, a digit or code in it is a word. */
function wordsIn(sentence) {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}`]/u.test(word)).length;
}

/** `entries`: `[{ forms, instead }]`, as in words.json. Gives the rule that finds any of the forms as whole words, in any case. */
function forbiddenWords(entries) {
  const patterns = entries.map(({ forms, instead }) => ({
    instead,
    pattern: new RegExp(String.raw`(?<![\p{L}-])(?:${forms.join('|')})(?![\p{L}-])`, 'giu'),
  }));
  return ({ pieces }) =>
    pieces.flatMap(({ line, text }) =>
      patterns.flatMap(({ instead, pattern }) =>
        [...text.matchAll(pattern)].map(([found]) => ({ line, says: `"${found}": write ${instead}` })),
      ),
    );
}

function longSentences({ pieces }) {
  return pieces.flatMap(({ line, text }) =>
    sentencesOf(text)
      .map((sentence) => ({ sentence, words: wordsIn(sentence) }))
      .filter(({ words }) => words > MAX_SENTENCE_WORDS)
      .map(({ sentence, words }) => ({
        line,
        says: `${words} words, and ${MAX_SENTENCE_WORDS} are the most: make two sentences of "${sentence.slice(0, 60)}…"`,
      })),
  );
}

function longTableLines({ tableLines }) {
  return tableLines
    .filter(({ text }) => text.length > MAX_TABLE_LINE)
    .map(({ line, text }) => ({
      line,
      says: `a line of a table has ${text.length} characters, and ${MAX_TABLE_LINE} are the most: move its longest cells below the table`,
    }));
}

/** Gives a function from the text of a page to its findings: `{ words, sentences, tables }`, each a list of `{ line, says }`. */
export function rulesWith(entries) {
  const words = forbiddenWords(entries);
  return (text) => {
    const page = readPage(text);
    return { words: words(page), sentences: longSentences(page), tables: longTableLines(page) };
  };
}
