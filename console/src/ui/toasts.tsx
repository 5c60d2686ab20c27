import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface Toast {
  readonly id: number;
  readonly content: ComponentChildren;
  readonly isBad: boolean;
}

const SHOWN_MS = 8_000;
const MOST = 4;

const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Says that something was done. What went wrong stays until it is closed. */
export function toast(content: ComponentChildren, { isBad = false } = {}): void {
  const id = (last += 1);
  toasts.value = [...toasts.value, { id, content, isBad }].slice(-MOST);
  if (!isBad) setTimeout(() => close(id), SHOWN_MS);
}

function close(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, content, isBad }) => (
        <div key={id} class={isBad ? 'toast bad' : 'toast'}>
          <div>{content}</div>
          <button type="button" class="quiet" aria-label="Close this message" onClick={() => close(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
