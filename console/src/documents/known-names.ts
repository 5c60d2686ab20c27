/** Names that can be offered in a document. */
export interface KnownNames {
  readonly unitIds: readonly string[];
  /** Of `spec.vars`. */
  readonly vars: readonly string[];
  /** The properties of `spec.input`. */
  readonly inputKeys: readonly string[];
  /** What may stand behind `uses`. */
  readonly uses: readonly string[];
}

export const NO_NAMES: KnownNames = { unitIds: [], vars: [], inputKeys: [], uses: [] };

/** Both, without repetition; the first come first. */
export function united(one: KnownNames, other: KnownNames): KnownNames {
  const both = (key: keyof KnownNames): readonly string[] => [...new Set([...one[key], ...other[key]])];
  return { unitIds: both('unitIds'), vars: both('vars'), inputKeys: both('inputKeys'), uses: both('uses') };
}
