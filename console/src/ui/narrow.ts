import { signal } from '@preact/signals';

const NARROW = window.matchMedia('(max-width: 639px)');

/** Whether the screen has no room for two things next to one another, nor for a graph. */
export const isNarrow = signal(NARROW.matches);
NARROW.addEventListener('change', ({ matches }) => (isNarrow.value = matches));
