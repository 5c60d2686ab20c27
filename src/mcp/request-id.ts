/** What JSON.parse tells a reviver about a primitive (ECMAScript "JSON.parse source text access", Node 22). */
type SourceReviver = (
  this: object,
  key: string,
  value: unknown,
  context: { readonly source?: string },
) => unknown;

const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/**
 * The id to echo: that of the request, or, for a number beyond what JavaScript holds exactly, the digits that
 * were sent. `text` is null where a host's body parser has thrown them away.
 */
export function exactId(id: unknown, text: string | null): unknown {
  if (typeof id !== 'number' || Number.isSafeInteger(id) || text === null) return id;
  const sources = new WeakMap<object, string>();
  let top: object = {};
  parseWithSource(text, function (this: object, key, value, { source }) {
    if (key === 'id' && source !== undefined) sources.set(this, source);
    if (key === '' && typeof value === 'object' && value !== null) top = value;
    return value;
  });
  const source = sources.get(top);
  return source === undefined ? id : rawJSON(source);
}
