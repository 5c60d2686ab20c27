import { render } from 'preact';
import { readSettings } from '../api/settings.js';
import { beginIdentity } from '../identity/who-am-i.js';
import { followLinks } from './router.js';
import { Shell } from './shell.js';
import { listenToKeys } from './shortcuts.js';

/** Shows the console in the element; `answer` is that of `settings.json`. Rejects where the service does not say what it has. */
export async function start(root: Element, answer: Promise<Response>): Promise<void> {
  await readSettings(answer);
  beginIdentity();
  followLinks();
  listenToKeys();
  root.replaceChildren();
  render(<Shell />, root);
}
