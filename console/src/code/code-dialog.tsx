import { useSignal } from '@preact/signals';
import { apiUrl, identityKey } from '../api/service.js';
import { session } from '../identity/session.js';
import { Dialog } from '../ui/dialog.js';
import type { Act, Connection } from './act.js';
import { asCommand } from './as-command.js';
import { asJava } from './as-java.js';
import { asTypeScript } from './as-typescript.js';
import { asCurl } from './curl.js';
import { lastActOf } from './last-act.js';

type Writer = (act: Act, connection: Connection) => string;

const LANGUAGES: Readonly<Record<string, Writer>> = {
  curl: asCurl,
  'Command line': asCommand,
  TypeScript: asTypeScript,
  Java: asJava,
};

interface Props {
  /** What else may be asked, by what it does. */
  readonly acts: Readonly<Record<string, Act>>;
  readonly onClose: () => void;
}

/** What was done last, and what else could be, for those who would rather have a program do it. */
export function CodeDialog({ acts, onClose }: Props) {
  const language = useSignal('curl');
  const last = lastActOf(identityKey.value);
  const connection: Connection = {
    baseUrl: apiUrl.value.replace(/\/$/, ''),
    isTokenNeeded: session.key.value !== null,
    namespace: session.namespace.value,
  };
  const write = LANGUAGES[language.value] ?? asCurl;
  const shown = Object.entries(last === null ? acts : { 'What you did last': last, ...acts });
  return (
    <Dialog title="From code" isLarge onClose={onClose}>
      <label class="field">
        <span>With</span>
        <select
          value={language.value}
          onChange={({ currentTarget }) => (language.value = currentTarget.value)}
        >
          {Object.keys(LANGUAGES).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {connection.isTokenNeeded ? (
        <p class="muted">
          Your key is in none of these: they take it from <code>FLOWGATE_TOKEN</code>.
        </p>
      ) : null}
      {shown.map(([name, act]) => (
        <section key={name} class="stack tight">
          <h3>{name}</h3>
          <pre class="code-block wraps" tabIndex={0} aria-label={name}>
            {write(act, connection)}
          </pre>
        </section>
      ))}
    </Dialog>
  );
}
