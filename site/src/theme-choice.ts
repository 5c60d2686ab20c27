export type Theme = 'light' | 'dark';

const KEY = 'flowgate-guide-theme';

/** What a reader has chosen; null: what their system says. Where a browser keeps nothing for pages, nothing was chosen. */
export function chosenTheme(): Theme | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : null;
  } catch {
    return null;
  }
}

/** Holds for this page in any case. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The next page begins as the system says.
  }
}
