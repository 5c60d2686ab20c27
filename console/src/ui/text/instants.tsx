import { signal } from '@preact/signals';
import { distanceText } from './durations.js';

/** Now, as far as it is shown: a second is fine enough, and a tab that nobody sees needs none. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** An instant in the reader's own time zone. */
export function instantText(at: number): string {
  return SHORT.format(at);
}

/** How long ago something was, or will be; the instant itself on demand. */
export function Ago({ at }: { readonly at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={FULL.format(at)}>
      {distanceText(at, now.value)}
    </time>
  );
}
