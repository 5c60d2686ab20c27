import { visiblePieces } from './visible-text.js';

/** A text of somebody else: never more than text, in a direction of its own, and with nothing hidden in it. */
export function PlainText({ text }: { readonly text: string }) {
  return (
    <bdi>
      {visiblePieces(text).map((piece) =>
        'text' in piece ? (
          piece.text
        ) : (
          <span class="sign" title="A character that cannot be seen">
            {piece.sign}
          </span>
        ),
      )}
    </bdi>
  );
}
