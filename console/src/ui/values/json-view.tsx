import type { JsonValue } from 'flowgate-client/remote';
import { visiblePieces } from '../text/visible-text.js';

/** Beyond this a value is shown cut: a page with megabytes of text stands still. */
const MOST_CHARACTERS = 200_000;

/** A value as JSON. */
export function JsonView({ value }: { readonly value: JsonValue | undefined }) {
  const text = JSON.stringify(value, null, 2) ?? '';
  const shown =
    text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}\n… ${text.length} characters` : text;
  return (
    <pre class="code-block wraps" tabIndex={0}>
      {visiblePieces(shown).map((piece) =>
        'text' in piece ? piece.text : <span class="sign">{piece.sign}</span>,
      )}
    </pre>
  );
}
