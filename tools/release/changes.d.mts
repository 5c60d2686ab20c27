export function changesBetween(
  before: readonly string[],
  after: readonly string[],
): { readonly removed: readonly string[]; readonly added: readonly string[] };
export function sectionOf(changelog: string, name: string): string | null;
export function untold(changes: readonly string[], text: string): readonly string[];
export function namesIn(line: string): readonly string[];
