/**
 * The paths of all fields of some answers, such as `items[].units`, sorted; of a field whose own fields nobody
 * documents, such as the shared state, only the field itself.
 */
export function fieldsOf(answers: readonly unknown[], documented: readonly string[]): readonly string[] {
  const isOpened = (path: string): boolean =>
    documented.some((field) => field.startsWith(`${path}.`) || field.startsWith(`${path}[].`));
  const paths = new Set<string>();
  const collect = (value: unknown, prefix: string): void => {
    if (Array.isArray(value)) {
      for (const entry of value) collect(entry, `${prefix}[]`);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      paths.add(path);
      if (isOpened(path)) collect(member, path);
    }
  };
  for (const answer of answers) collect(answer, '');
  return [...paths].toSorted();
}
