import type { GuideIndex, IndexFile } from './guide-index.js';
import { resultsOf } from './search-results.js';

const NOT_READ = 'The search could not be loaded: load the page anew';

/**
 * The search of a page. Its index is loaded when somebody begins to search. `/` begins; the arrows go through what is found, Escape
 * ends.
 */
export function setUpSearch(search: HTMLElement): void {
  const input = search.querySelector('input');
  const results = search.querySelector<HTMLElement>('.results');
  const status = search.querySelector<HTMLElement>('[role=status]');
  if (input === null || results === null || status === null) return;
  let loading: Promise<GuideIndex> | undefined;
  const index = (): Promise<GuideIndex> =>
    (loading ??= loadIndex(input.dataset['index'] ?? '').catch((error: unknown) => {
      // The next key tries again.
      loading = undefined;
      throw error;
    }));

  const close = (): void => {
    results.hidden = true;
    status.textContent = '';
  };
  const show = async (): Promise<void> => {
    const query = input.value.trim();
    if (query === '') return close();
    try {
      const found = (await index()).find(query);
      // Somebody may have typed on while the index was loaded.
      if (query !== input.value.trim()) return;
      results.replaceChildren(resultsOf(found));
      results.hidden = found.length === 0;
      status.textContent = found.length === 0 ? `Nothing is found for “${query}”` : `${found.length} found`;
    } catch {
      results.hidden = true;
      status.textContent = NOT_READ;
    }
  };

  input.addEventListener('focus', () => void index().catch(() => undefined), { once: true });
  input.addEventListener('input', () => void show());
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      close();
      input.focus();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (moveFocus(search, event.key === 'ArrowDown' ? 1 : -1)) event.preventDefault();
    } else if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click();
  });
  // Within a page a link loads nothing, so the results would stay over what they lead to.
  results.addEventListener('click', close);
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !search.contains(target)) close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
  search.hidden = false;
}

async function loadIndex(address: string): Promise<GuideIndex> {
  const [{ GuideIndex: Index }, response] = await Promise.all([import('./guide-index.js'), fetch(address)]);
  if (!response.ok) throw new Error(`${address} answers with ${response.status}`);
  return Index.of((await response.json()) as IndexFile);
}

/** From the input to the first link, and on; false: there is none in that direction. */
function moveFocus(search: HTMLElement, by: 1 | -1): boolean {
  const stops = [...search.querySelectorAll<HTMLElement>('input, .results:not([hidden]) a')];
  const next = stops[stops.findIndex((stop) => stop === document.activeElement) + by];
  next?.focus();
  return next !== undefined;
}
