import { isTyping } from '../ui/is-typing.js';
import { helpIsOpen, paletteIsOpen } from './overlays.js';
import { singleKeysAreOn } from './single-keys.js';

export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      paletteIsOpen.value = true;
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !singleKeysAreOn.value || isTyping(event)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    const act = SINGLE[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

const SINGLE: Readonly<Record<string, () => void>> = {
  '/': () => (paletteIsOpen.value = true),
  '?': () => (helpIsOpen.value = true),
  j: () => step(1),
  k: () => step(-1),
};

/** From one row, or card, to the next: those that carry `data-step`. */
function step(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>('#main [data-step]')];
  const at = all.findIndex((element) => element.contains(document.activeElement));
  const next = all[at === -1 ? (by === 1 ? 0 : all.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
