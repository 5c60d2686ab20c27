// The lists of fields in docs/http/, made of the OpenAPI document: `npm run openapi` renews them, and a test finds stale ones.
//
// A page says where one stands, and of what (by default of the route in the heading above); what is between the two comments
// is written here:
//
//   <!-- shape: query -->
//   <!-- shape: answer; not into items.compensation -->
//   <!-- shape: record of RunRecord -->
//   <!-- shape: full of FullRunRecord; beyond RunRecord -->          without what stands with the other one already
//   <!-- shape: answer; beyond snapshots of GET /runs/:id/snapshots --> or with the entries of its list
//   <!-- end -->

const PART = /^## (.+)$|^(<!-- shape: ([a-z]+)(?: of ([^;]+?))?((?:; [^;]+?)*) -->\n)[^]*?^(<!-- end -->)$/gm;
const PREFIX = 'Flowgate';
const TITLES = { full: 'With `view=full`' };
const EPOCH = /^epoch milliseconds$/i;
/** A shorter one is said again. */
const LONG = 60;
/** What most lists have, as the page about requests says it once. */
const OF_LISTS = new Map([
  ['limit', 'number, 1 to 200, default `50`. How many at most.'],
  ['cursor', 'string. `next` of the page before, of the same filter.'],
  ['next', 'string or null. `cursor` of the next page; null at the end.'],
]);

/** The page with every shape as the document has it. */
export function withShapes(page, document) {
  let heading = '';
  /** What the page has said already. */
  const said = new Set();
  return page.replace(PART, (all, title, begin, kind, named, options, end) => {
    if (title !== undefined) {
      heading = title;
      return all;
    }
    const subject = named ?? heading;
    const beyond = optionOf(options, 'beyond');
    const rows = withoutRows(
      rowsOf(document, { kind, subject, notInto: optionOf(options, 'not into')?.split(', ') ?? [] }),
      rowsBeyond(document, beyond),
    );
    if (rows.length === 0)
      throw new Error(`openapi.json has no ${kind} of ${subject}: mend the comment of the page`);
    const lines = together(rows.map(asOfLists)).map((row) => lineOf(row, said));
    const label = TITLES[kind] ?? (beyond === undefined ? `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` : 'Also');
    return `${begin}\n${label}:\n\n${lines.join('\n')}\n\n${end}`;
  });
}

function optionOf(options, name) {
  return options
    .split('; ')
    .find((option) => option.startsWith(`${name} `))
    ?.slice(name.length + 1);
}

/** The fields that another shape has: those of a schema, or of the entries of a list. */
function rowsBeyond(document, beyond) {
  if (beyond === undefined) return [];
  const [, list, subject = beyond] = /^(\w+) of (.+)$/.exec(beyond) ?? [];
  const rows = rowsOf(document, { kind: 'answer', subject, notInto: [] });
  const isWanted = ({ path }) => list === undefined || path[0] === list;
  const skipped = list === undefined ? 0 : 1;
  return rows
    .filter((row) => isWanted(row) && row.path.length > skipped)
    .map((row) => ({ ...row, path: row.path.slice(skipped) }));
}

/** What holds a field that stays, stays as well. */
function withoutRows(rows, known) {
  const keyOf = ({ path, shown, type, meaning }) => JSON.stringify([path, shown, type, meaning]);
  const keys = new Set(known.map(keyOf));
  const kept = rows.filter((row) => !keys.has(keyOf(row)));
  const isHolder = (row) =>
    kept.some(
      ({ path }) => path.length > row.path.length && row.path.every((name, index) => name === path[index]),
    );
  return rows.filter((row) => kept.includes(row) || isHolder(row));
}

function asOfLists(row) {
  const isUsual = OF_LISTS.get(row.path.join('.')) === `${row.type}. ${row.meaning}`;
  return isUsual ? { ...row, type: 'as of [every list](requests.md#lists)', meaning: '' } : row;
}

/** Neighbours of which the same is said share a line. */
function together(rows) {
  const merged = [];
  for (const { path, shown, type, meaning } of rows) {
    const last = merged.at(-1);
    const depth = path.length - 1;
    if (last !== undefined && last.depth === depth && last.type === type && last.meaning === meaning)
      last.names.push(shown);
    else merged.push({ depth, names: [shown], type, meaning });
  }
  return merged;
}

function lineOf({ depth, names, type, meaning }, said) {
  const name = names.map((one) => `\`${one}\``).join(', ');
  const about = [again(type, said) ? 'as above' : type, meaning].filter((part) => part !== '').join('. ');
  const isLong = type.length >= LONG;
  return `${'  '.repeat(depth)}- ${name}: ${again(about, said) ? `${isLong ? '' : `${type}, `}as above` : about}`;
}

/** Whether the page has said that already, and it is worth a reference. */
function again(text, said) {
  if (text.length < LONG) return false;
  const isKnown = said.has(text);
  said.add(text);
  return isKnown;
}

/** Each: the names that lead to it, its name as it is shown, its type, and what it means. */
function rowsOf(document, { kind, subject, notInto }) {
  const [method, path] = subject.split(' ');
  if (path === undefined)
    return fieldRows(document, schemaNamed(document, `${PREFIX}${subject}`), { notInto });
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (operation === undefined)
    throw new Error(`openapi.json has no ${subject}: mend the comment of the page`);
  if (kind === 'query') return queryRows(operation);
  if (kind === 'body')
    return fieldRows(document, operation.requestBody?.content['application/json'].schema, {
      notInto,
      isRequest: true,
    });
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
  return fieldRows(document, success?.content['application/json'].schema, { notInto });
}

function queryRows({ parameters = [] }) {
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, description, schema }) => {
      const usual = schema.default === undefined ? '' : `, default \`${schema.default}\``;
      return {
        path: [name],
        shown: name,
        type: typeOf(schema, { isRequired: required }) + usual,
        meaning: sentence(description),
      };
    });
}

/** A row for each field, those of objects and lists after the field that holds them. */
function fieldRows(document, schema, { notInto, isRequest = false }, above = []) {
  const { properties = {}, required = [] } = opened(document, schema) ?? {};
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = [...above, name];
    const inner = opened(document, field);
    const isRequired = required.includes(name);
    const about = field.description ?? inner?.description ?? '';
    const isInstant = EPOCH.test(about);
    // What is optional in a request may be null, which says nothing of its own.
    const type = typeOf(isRequest ? withoutNull(inner) : orNullOf(field, inner), {
      isRequired: isRequest && isRequired,
      isInstant,
    });
    const row = {
      path,
      shown: isRequired || isRequest ? name : `${name}?`,
      type,
      meaning: about === '' || isInstant ? '' : sentence(about),
    };
    if (notInto.includes(path.join('.'))) return [row];
    return [row, ...fieldRows(document, inner?.items ?? inner, { notInto, isRequest }, path)];
  });
}

/** The schema itself, behind references and `or null`; null: several, of which none is opened. */
function opened(document, schema) {
  if (schema?.$ref !== undefined)
    return opened(document, schemaNamed(document, schema.$ref.split('/').at(-1)));
  const variants = schema?.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (variants.length === 1) return { ...opened(document, variants[0]) };
  if (schema?.allOf?.length === 1) return opened(document, schema.allOf[0]);
  return schema;
}

function schemaNamed(document, name) {
  const schema = document.components.schemas[name];
  if (schema === undefined)
    throw new Error(`openapi.json has no schema ${name}: mend the comment of the page`);
  return schema;
}

const orNullOf = (field, inner) =>
  field.anyOf?.some(({ type }) => type === 'null') ? { ...inner, type: [inner.type, 'null'].flat() } : inner;

function withoutNull(schema) {
  if (schema === undefined) return schema;
  const { type, enum: values } = schema;
  return {
    ...schema,
    ...(Array.isArray(type) ? { type: type.filter((one) => one !== 'null') } : {}),
    ...(values === undefined ? {} : { enum: values.filter((value) => value !== null) }),
  };
}

/** In words: `string, 1 to 256 characters`, `array of strings`, `number or null`. */
function typeOf(schema = {}, { isRequired = false, isInstant = false } = {}) {
  const words = [isInstant ? 'instant' : wordOf(schema), boundOf(schema), isRequired ? 'required' : ''];
  return words.filter((word) => word !== '').join(', ');
}

function wordOf({ type, enum: values, const: only, items }) {
  if (only !== undefined) return `\`${only}\``;
  if (values !== undefined) return listed(values.map((value) => (value === null ? 'null' : `\`${value}\``)));
  if (type === undefined) return 'any';
  const words = [type].flat().map((one) => (one === 'integer' ? 'number' : one));
  const isOfTexts = words.includes('array') && items?.type === 'string';
  return listed(words.map((word) => (word === 'array' && isOfTexts ? 'array of strings' : word)));
}

function boundOf({ minimum, maximum, minLength, maxLength, minItems, maxItems }) {
  if (maxLength !== undefined) return `${number(minLength ?? 0)} to ${number(maxLength)} characters`;
  if (maxItems !== undefined)
    return minItems === undefined ? `at most ${number(maxItems)}` : `${minItems} to ${number(maxItems)}`;
  if (minimum === undefined || maximum === Number.MAX_SAFE_INTEGER) return '';
  return maximum === undefined ? `from ${minimum}` : `${number(minimum)} to ${number(maximum)}`;
}

const number = (value) => value.toLocaleString('en-US');

function listed(words) {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
