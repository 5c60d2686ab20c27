import type { JsonValue } from 'flowgate-client/remote';

interface Props {
  readonly label: string;
  readonly hint: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** A value that is written as JSON. */
export function JsonField({ label, hint, text, onText }: Props) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        class="code"
        spellcheck={false}
        rows={4}
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <span class="hint">{hint}</span>
    </label>
  );
}

/** The value; undefined: nothing was written. Throws a sentence with the line and the column. */
export function readJson(what: string, text: string): JsonValue | undefined {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new Error(`${what} is no JSON${placeIn(text, error)}: mend it`, { cause: error });
  }
}

/** Browsers name a position, or a line and a column, or neither. */
function placeIn(text: string, error: unknown): string {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return `, at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
