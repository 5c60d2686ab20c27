import { here, refine } from '../app/router.js';
import { settings } from '../api/settings.js';
import { PlainText } from '../ui/text/plain-text.js';
import { session, useKey } from './session.js';
import { namespaces, whoAmI } from './who-am-i.js';

/** Who one is, and in which namespace one looks around. */
export function IdentityTools() {
  const { kind } = settings.value.identity;
  if (kind === 'none') return null;
  const who = whoAmI.value;
  return (
    <>
      <NamespaceSwitch />
      {who === null ? null : (
        <span class="who muted small" title={who.id}>
          <PlainText text={who.name ?? who.owner ?? who.id} />
        </span>
      )}
      {session.key.value === null ? null : (
        <button type="button" onClick={() => useKey(null)}>
          Sign out
        </button>
      )}
    </>
  );
}

function NamespaceSwitch() {
  const named = namespaces().filter((name) => name !== '*');
  const current = session.namespace.value;
  const all = current === null || named.includes(current) ? named : [current, ...named];
  if (all.length < 2) return null;
  return (
    <select
      aria-label="Namespace"
      value={current ?? ''}
      onChange={(event) => {
        session.namespace.value = event.currentTarget.value === '' ? null : event.currentTarget.value;
        refine(here.value.query);
      }}
    >
      {current === null ? <option value="">Namespace…</option> : null}
      {all.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
