import type { JsonValue } from 'flowgate-client/remote';
import { PlainText } from '../text/plain-text.js';
import { JsonView } from './json-view.js';

/** Rows of one table, and how deep tables stand in tables: beyond that JSON says it better. */
const MOST_ROWS = 60;
const DEEPEST = 3;

/** A value as people read it: a row for each field. */
export function ValueTable({ value, depth = 0 }: { readonly value: JsonValue; readonly depth?: number }) {
  if (value === null) return <span class="muted">none</span>;
  if (typeof value === 'boolean') return <span>{value ? 'yes' : 'no'}</span>;
  if (typeof value !== 'object') return <PlainText text={String(value)} />;
  const rows = Array.isArray(value)
    ? value.map((item, index) => [String(index + 1), item] as const)
    : Object.entries(value as Readonly<Record<string, JsonValue>>);
  if (rows.length === 0) return <span class="muted">nothing</span>;
  if (depth >= DEEPEST) return <JsonView value={value} />;
  return (
    <table class="values">
      <tbody>
        {rows.slice(0, MOST_ROWS).map(([name, item]) => (
          <tr key={name}>
            <th scope="row">
              <PlainText text={name} />
            </th>
            <td>
              <ValueTable value={item} depth={depth + 1} />
            </td>
          </tr>
        ))}
        {rows.length > MOST_ROWS ? (
          <tr>
            <th scope="row">…</th>
            <td class="muted">{rows.length - MOST_ROWS} more, in the JSON</td>
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}
