/** What is in one list of lines alone. */
export function changesBetween(before, after) {
  const [old, present] = [new Set(before), new Set(after)];
  return {
    removed: before.filter((line) => !present.has(line)),
    added: after.filter((line) => !old.has(line)),
  };
}

/** The text under a heading of the changelog, up to the next one of its kind. Null: there is no such heading. */
export function sectionOf(changelog, name) {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`## [${name}]`));
  if (start === -1) return null;
  const end = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  return lines.slice(start + 1, end === -1 ? undefined : end).join('\n');
}

/** The changed lines of which no name stands in the text: it says nothing of them. */
export function untold(changes, text) {
  return changes.filter((line) => !namesIn(line).some((name) => isNamed(text, name)));
}

/** What a reader of the changelog would look for: names of types, routes, fields, parameters, settings. */
export function namesIn(line) {
  const declaration =
    /: export (?:declare |abstract )*(?:class|interface|type|const|let|function|enum|namespace) (\w+)/.exec(
      line,
    );
  if (declaration !== null) return [declaration[1]];
  const [place = ''] = line.split(': ');
  const operation = /^[A-Z]+ (\/\S*)/.exec(place);
  const route = operation === null ? [] : [operation[1].replaceAll(/\{(\w+)\}/g, ':$1'), operation[1]];
  const parts = place.split(' › ').map((part) => part.replaceAll('`', ''));
  return [
    ...route,
    ...parts.filter((part) => !STRUCTURE.has(part) && !/^[A-Z]+ \/|^\d+$|^\$|\[\d+\]$/.test(part)),
  ];
}

/** Words of the form of a document, which name nothing. */
const STRUCTURE = new Set(
  'properties items required type enum allOf anyOf oneOf not if then else additionalProperties body default const format pattern'
    .split(' ')
    .concat(
      'minimum',
      'maximum',
      'minLength',
      'maxLength',
      'minItems',
      'maxItems',
      'uniqueItems',
      'examples',
      'propertyNames',
    )
    .concat(
      'unevaluatedProperties',
      'minProperties',
      'maxProperties',
      'discriminator',
      'contains',
      'prefixItems',
    ),
);

function isNamed(text, name) {
  const exact = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`(?<![\\w-])${exact}(?![\\w-])`).test(text);
}
