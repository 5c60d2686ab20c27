import { visiblePieces } from './visible-text.js';

interface Props {
  readonly text: string;
  /** Whether there is more of it than was sent. */
  readonly isCut?: boolean;
}

/** A text of somebody else: never more than text, in a direction of its own, and with nothing hidden in it. */
export function PlainText({ text, isCut = false }: Props) {
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
      {isCut ? '…' : null}
    </bdi>
  );
}
