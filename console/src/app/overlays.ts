import { signal } from '@preact/signals';

/** What lies above the page, opened by keys and by buttons. */
export const paletteIsOpen = signal(false);
export const helpIsOpen = signal(false);
