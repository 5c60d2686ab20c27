import { render } from 'preact';
import { readSettings } from '../api/settings.js';
import { SIGNED_IN, takeAnswer } from '../identity/provider/sign-in-flow.js';
import { namespaceIn, session } from '../identity/session.js';
import { beginIdentity } from '../identity/who-am-i.js';
import { followLinks, here, replace } from './router.js';
import { Shell } from './shell.js';
import { listenToKeys } from './shortcuts.js';

/** Shows the console in the element; `answer` is that of `settings.json`. Rejects where the service does not say what it has. */
export async function start(root: Element, answer: Promise<Response>): Promise<void> {
  await readSettings(answer);
  if (here.peek().screen === SIGNED_IN) await comeBack(root);
  beginIdentity();
  followLinks();
  listenToKeys();
  root.replaceChildren();
  render(<Shell />, root);
}

/** From the provider, to what the person asked for. The code leaves the address before anything is sent. */
async function comeBack(root: Element): Promise<void> {
  const { from, complete } = takeAnswer(new URLSearchParams(window.location.search));
  session.namespace.value = namespaceIn(from.query['ns']);
  replace(from.screen, from.query);
  const line = root.querySelector('.boot');
  if (line !== null) line.textContent = 'Signing in…';
  await complete();
}
