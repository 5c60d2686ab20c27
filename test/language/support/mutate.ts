/** A JSON value that a test may change. */
export type Mutable = null | boolean | number | string | Mutable[] | { [key: string]: Mutable };

/** Walks `steps` into the value and deletes (undefined), adds or replaces what it comes to. */
export function mutate(
  value: Mutable,
  steps: readonly number[],
  replacement: Mutable | undefined,
  name: string,
): Mutable {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== 'object' || value === null) return replacement ?? null;
  const keys = Object.keys(value);
  const key = keys[step % (keys.length + 1)] ?? name;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, Mutable>;
  if (rest.length === 0 && replacement === undefined) delete copy[key];
  else copy[key] = mutate(copy[key] ?? null, rest, replacement, name);
  return (Array.isArray(value) ? Object.values(copy) : copy) as Mutable;
}
