export interface Unknown {
  readonly place: string;
  readonly word: string;
}

export function unknownIn(output: string): readonly Unknown[];
export function spellingFaults(unknown: readonly Unknown[], list: readonly string[]): readonly string[];
export function spelling(pages: readonly string[]): readonly string[];
