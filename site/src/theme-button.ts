import { chooseTheme, type Theme } from './theme-choice.js';

const OTHER: Readonly<Record<Theme, Theme>> = { light: 'dark', dark: 'light' };
const LABEL: Readonly<Record<Theme, string>> = { light: 'Light', dark: 'Dark' };

/** A button that names the theme that it changes to. */
export function setUpThemeButton(button: HTMLButtonElement): void {
  const isDark = matchMedia('(prefers-color-scheme: dark)');
  const current = (): Theme => {
    const { theme } = document.documentElement.dataset;
    if (theme === 'light' || theme === 'dark') return theme;
    return isDark.matches ? 'dark' : 'light';
  };
  const show = (): void => {
    button.textContent = LABEL[OTHER[current()]];
  };
  button.addEventListener('click', () => {
    chooseTheme(OTHER[current()]);
    show();
  });
  isDark.addEventListener('change', show);
  show();
  button.hidden = false;
}
