/** A unified diff, its lines coloured, and marked by their first character as ever. */
export function DiffText({ text }: { readonly text: string }) {
  return (
    <pre class="code-block" tabIndex={0} aria-label="What differs">
      {text.split('\n').map((line) => (
        <span class={classOf(line)}>{`${line}\n`}</span>
      ))}
    </pre>
  );
}

function classOf(line: string): string {
  if (line.startsWith('@@')) return 'muted';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : '';
}
