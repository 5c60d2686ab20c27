import { chosenTheme } from './theme-choice.js';

// It runs before the page is drawn, so that a dark page is never seen light first.
const theme = chosenTheme();
if (theme !== null) document.documentElement.dataset['theme'] = theme;
