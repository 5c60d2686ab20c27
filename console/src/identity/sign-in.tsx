import { computed } from '@preact/signals';
import { useState } from 'preact/hooks';
import { settings } from '../api/settings.js';
import { session, useKey } from './session.js';

/** Whether nothing can be shown before the service knows who is asking. */
export const needsSignIn = computed(() => {
  const { kind } = settings.value.identity;
  return (kind === 'keys' || kind === 'oidc') && (session.key.value === null || session.isRefused.value);
});

/** Where the key, or the token, is pasted. */
export function SignIn() {
  const [given, setGiven] = useState('');
  const isToken = settings.value.identity.kind === 'oidc';
  const word = isToken ? 'token' : 'key';
  const isRefused = session.isRefused.value && session.key.value !== null;
  const submit = (event: Event): void => {
    event.preventDefault();
    const key = given.trim();
    if (key !== '') useKey(key);
  };
  return (
    <form class="welcome panel stack" onSubmit={submit}>
      <div>
        <h1>{isRefused ? 'Sign in again' : 'Sign in'}</h1>
        <p class="muted">
          {isRefused
            ? `The service does not take this ${word}: it may have expired or been revoked.`
            : `This service asks who you are. The ${word} stays in this tab, and is sent to this service alone.`}
        </p>
      </div>
      <label class="field">
        <span>{isToken ? 'Access token' : 'API key'}</span>
        <input
          type="password"
          autoComplete="off"
          spellcheck={false}
          placeholder={isToken ? 'eyJ…' : 'fgk_…'}
          value={given}
          aria-invalid={isRefused}
          onInput={(event) => setGiven(event.currentTarget.value)}
        />
      </label>
      <div class="dialog-foot">
        <button type="submit" class="primary" disabled={given.trim() === ''}>
          Sign in
        </button>
      </div>
    </form>
  );
}
