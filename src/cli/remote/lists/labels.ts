import { UsageError } from '../../command-errors.js';

/** Reads each `--label name:value`; undefined if none is given. Throws a `UsageError` for one that is written otherwise. */
export function labelsOf(given: readonly string[] | undefined): Readonly<Record<string, string>> | undefined {
  if (given === undefined) return undefined;
  const labels: Record<string, string> = {};
  for (const one of given) {
    // Names contain neither separator, so the first one ends the name.
    const [, name, value] = /^([^:=]+)[:=](.*)$/s.exec(one) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(`--label ${one} is no label: write --label team:blue.`);
    if (Object.hasOwn(labels, name))
      throw new UsageError(`--label names ${name} more than once: give it once.`);
    Object.defineProperty(labels, name, { value, enumerable: true });
  }
  return labels;
}
