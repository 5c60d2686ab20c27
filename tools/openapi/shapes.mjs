// The tables of fields in docs/http/, made of the OpenAPI document: `npm run openapi` renews them, and a test finds stale ones.
//
// A page says where one stands, and of what; what is between the two comments is written here:
//
//   <!-- shape: query of GET /runs -->
//   <!-- shape: answer field of GET /runs; not into items[].compensation -->
//   <!-- shape: record field of RunRecord -->
//   <!-- end of shape -->

const SHAPE = /^(<!-- shape: ([a-z ]+?) of (.+?)(?:; not into (.+?))? -->\n)[^]*?^(<!-- end of shape -->)$/gm;
const PREFIX = 'Flowgate';

/** The page with every shape as the document has it. */
export function withShapes(page, document) {
  return page.replace(SHAPE, (_all, begin, column, subject, notInto, end) => {
    const rows = rowsOf(document, { column, subject, notInto: notInto?.split(', ') ?? [] });
    if (rows.length === 0)
      throw new Error(`openapi.json has no ${column} of ${subject}: mend the comment of the page`);
    const lines = together(rows).map((cells) => `| ${cells.map(escaped).join(' | ')} |`);
    return `${begin}\n| ${column} | type | meaning |\n| --- | --- | --- |\n${lines.join('\n')}\n\n${end}`;
  });
}

/** Neighbours of which the same is said share a row. */
function together(rows) {
  const merged = [];
  for (const [name, ...said] of rows) {
    const last = merged.at(-1);
    if (last?.slice(1).every((cell, index) => cell === said[index])) last[0] += `, ${name}`;
    else merged.push([name, ...said]);
  }
  return merged;
}

function rowsOf(document, { column, subject, notInto }) {
  const [method, path] = subject.split(' ');
  if (path === undefined)
    return fieldRows(document, schemaNamed(document, `${PREFIX}${subject}`), { notInto });
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (operation === undefined)
    throw new Error(`openapi.json has no ${subject}: mend the comment of the page`);
  if (column === 'query') return queryRows(operation);
  if (column === 'body field')
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
      const usual = schema.default === undefined ? '' : ` Default \`${schema.default}\`.`;
      return [`\`${name}\``, typeOf(schema, { isRequired: required }), sentence(description) + usual];
    });
}

/** A row for each field, those of objects and lists after the field that holds them. */
function fieldRows(document, schema, { notInto, isRequest = false }, prefix = '') {
  const { properties = {}, required = [] } = opened(document, schema) ?? {};
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const inner = opened(document, field);
    const isRequired = required.includes(name);
    const shown = isRequired || isRequest ? path : `${path}?`;
    const about = field.description ?? inner?.description;
    // What is optional in a request may be null, which says nothing of its own.
    const type = typeOf(isRequest ? withoutNull(inner) : orNullOf(field, inner), {
      isRequired: isRequest && isRequired,
    });
    const row = [`\`${shown}\``, type, about === undefined ? '' : sentence(about)];
    if (notInto.includes(path)) return [row];
    const holds = inner?.items === undefined ? inner : inner.items;
    const below = inner?.items === undefined ? path : `${path}[]`;
    return [row, ...fieldRows(document, holds, { notInto, isRequest }, below)];
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
function typeOf(schema = {}, { isRequired = false } = {}) {
  const words = [wordOf(schema), boundOf(schema), isRequired ? 'required' : ''];
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

const escaped = (cell) => cell.replaceAll('|', '\\|');
