export interface Finding {
  readonly line: number;
  readonly says: string;
}

export interface Findings {
  readonly words: readonly Finding[];
  readonly sentences: readonly Finding[];
  readonly tables: readonly Finding[];
}

export const MAX_SENTENCE_WORDS: number;
export const MAX_TABLE_LINE: number;
export function sentencesOf(text: string): readonly string[];
export function wordsIn(sentence: string): number;
export function rulesWith(
  entries: readonly { readonly forms: readonly string[]; readonly instead: string }[],
): (text: string) => Findings;
