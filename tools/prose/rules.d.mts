export interface Finding {
  readonly line: number;
  readonly says: string;
}

export interface Findings {
  readonly words: readonly Finding[];
  readonly sentences: readonly Finding[];
  readonly tables: readonly Finding[];
}

export function rulesWith(
  entries: readonly { readonly forms: readonly string[]; readonly instead: string }[],
): (text: string) => Findings;
