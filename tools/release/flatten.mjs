/** Texts for people: another wording is no change of what programs see. */
const PROSE = new Set(['description', 'summary', 'example', 'examples', 'title', '$comment']);

/**
 * A JSON document as lines `path: value`, one for each leaf, in the order of their paths, without texts for people. The names of
 * what a document describes are kept, also where they are those of such texts.
 */
export function flattened(value, path = '', isOfNames = false) {
  if (Array.isArray(value)) {
    if (value.every((entry) => typeof entry !== 'object' || entry === null))
      return [`${path}: ${JSON.stringify([...value].sort())}`];
    return value.flatMap((entry, index) => flattened(entry, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [`${path}: ${JSON.stringify(value)}`];
  const names = Object.keys(value)
    .filter((name) => isOfNames || !PROSE.has(name))
    .sort();
  if (names.length === 0) return [`${path}: {}`];
  return names.flatMap((name) => {
    const holdsNames =
      !isOfNames && ['properties', '$defs', 'schemas', 'paths', 'responses', 'headers'].includes(name);
    return flattened(value[name], path === '' ? name : `${path} › ${name}`, holdsNames);
  });
}

/** A part of a document in one line, without texts for people. */
export function withoutProse(value) {
  return JSON.stringify(value, (name, inner) =>
    PROSE.has(name) && typeof inner === 'string' ? undefined : inner,
  );
}
