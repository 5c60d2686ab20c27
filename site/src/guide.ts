import { setUpSearch } from './search/search-box.js';
import { setUpThemeButton } from './theme-button.js';

const button = document.querySelector<HTMLButtonElement>('button.theme');
if (button !== null) setUpThemeButton(button);
const search = document.querySelector<HTMLElement>('.search');
if (search !== null) setUpSearch(search);
