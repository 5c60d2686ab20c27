import { useMemo } from 'preact/hooks';
import { yamlPieces } from './yaml-words.js';

/** Beyond this a text is shown without colours and numbers: 2 MiB of it would be half a million elements. */
const MOST_COLOURED_LINES = 2_000;
const LONGEST_COLOURED_LINE = 500;

/** A document, to be read. */
export function YamlText({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = useMemo(() => text.replace(/\n$/, '').split('\n'), [text]);
  if (lines.length > MOST_COLOURED_LINES) {
    return (
      <pre class="code-block" tabIndex={0} aria-label={label}>
        {text}
      </pre>
    );
  }
  return (
    <div class="code-block lines" role="region" tabIndex={0} aria-label={label}>
      <pre class="line-number" aria-hidden="true">
        {lines.map((_line, index) => `${index + 1}\n`).join('')}
      </pre>
      <pre>
        {lines.map((line) => (
          <>
            {line.length > LONGEST_COLOURED_LINE
              ? line
              : yamlPieces(line).map(({ word, text: piece }) =>
                  word === null ? piece : <span class={`word-${word}`}>{piece}</span>,
                )}
            {'\n'}
          </>
        ))}
      </pre>
    </div>
  );
}
