// What the OpenAPI document says of the fields of something, a row for each: for the lists of fields in docs/http/.

const PREFIX = 'Flowgate';
const EPOCH = /^epoch milliseconds$/i;

/** Each: the names that lead to it, its name as it is shown, its type, and what it means. */
export function rowsOf(document, { kind, subject, notInto }) {
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
