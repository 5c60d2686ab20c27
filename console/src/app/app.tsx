import { render } from 'preact';
import { readSettings } from '../api/settings.js';
import { beginIdentity } from '../identity/who-am-i.js';
import { followLinks } from './router.js';
import { Shell } from './shell.js';
import { listenToKeys } from './shortcuts.js';

/** Shows the console in the element. Rejects where the service does not say what it has. */
export async function start(root: Element): Promise<void> {
  await readSettings();
  beginIdentity();
  followLinks();
  listenToKeys();
  root.replaceChildren();
  render(<Shell />, root);
}
