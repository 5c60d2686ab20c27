import { PlainText } from './text/plain-text.js';

/** Why what was asked for in a form was not done; null: nothing was refused. */
export function Fault({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p class="fault" role="alert">
      <PlainText text={text} />
    </p>
  );
}
