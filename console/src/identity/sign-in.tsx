import { computed, signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { settings } from '../api/settings.js';
import { here } from '../app/router.js';
import { Dialog } from '../ui/dialog.js';
import { Fault } from '../ui/fault.js';
import { PlainText } from '../ui/text/plain-text.js';
import { beginSignIn, signInFault } from './provider/sign-in-flow.js';
import { session, useKey } from './session.js';

const asks = computed(() => ['keys', 'oidc'].includes(settings.value.identity.kind));

/** Whether nothing can be shown before the service knows who is asking. */
export const needsSignIn = computed(() => {
  const { key, isRefused, wasTaken } = session;
  return asks.value && (key.value === null || (isRefused.value && !wasTaken.value));
});

/** Whether what is shown is of somebody whom the service no longer takes: it stays, and nothing is asked until they are back. */
const needsSignInAgain = computed(() => asks.value && !needsSignIn.value && session.isRefused.value);

/** The edition of the sign-in that is put off. */
const putOff = signal<number | null>(null);

/** In the place of a screen. */
export function SignIn() {
  const isRefused = session.isRefused.value && session.key.value !== null;
  return (
    <section class="welcome panel stack">
      <div>
        <h1>{isRefused ? 'Sign in again' : 'Sign in'}</h1>
        <p class="muted">{isRefused ? refusal() : welcome()}</p>
      </div>
      <Ways isRefused={isRefused} />
    </section>
  );
}

/** Above what is shown, which stays: drafts, filters and the place in a list. */
export function SignInAgain() {
  if (!needsSignInAgain.value) return null;
  const edition = session.edition.value;
  if (putOff.value !== edition)
    return (
      <Dialog title="Sign in again" onClose={() => (putOff.value = edition)}>
        <div class="stack">
          <p class="muted">{refusal()} What you see and what you typed stays.</p>
          <Ways isRefused />
        </div>
      </Dialog>
    );
  return (
    <div class="outage" role="status">
      <span>The service no longer takes what you signed in with. What you see is as it was.</span>
      <button type="button" onClick={() => (putOff.value = null)}>
        Sign in again
      </button>
    </div>
  );
}

/** By the provider, where the service says how; by what is pasted in any case. */
function Ways({ isRefused }: { readonly isRefused: boolean }) {
  const { signIn } = settings.value.identity;
  const [isLeaving, setLeaving] = useState(false);
  const leave = async (): Promise<void> => {
    setLeaving(true);
    await beginSignIn(here.value);
    if (signInFault.value !== null) setLeaving(false);
  };
  return (
    <>
      <Fault text={signInFault.value} />
      {signIn === undefined ? null : (
        <button type="button" class="primary" disabled={isLeaving} onClick={() => void leave()}>
          Sign in with <PlainText text={new URL(signIn.issuer).host} />
        </button>
      )}
      <Paste isRefused={isRefused} isPrimary={signIn === undefined} />
    </>
  );
}

function Paste({ isRefused, isPrimary }: { readonly isRefused: boolean; readonly isPrimary: boolean }) {
  const [given, setGiven] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    const key = given.trim();
    if (key === '') return;
    signInFault.value = null;
    useKey(key);
  };
  const isToken = settings.value.identity.kind === 'oidc';
  return (
    <form class="stack" onSubmit={submit}>
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
        <button type="submit" class={isPrimary ? 'primary' : ''} disabled={given.trim() === ''}>
          Sign in
        </button>
      </div>
    </form>
  );
}

function word(): string {
  return settings.value.identity.kind === 'oidc' ? 'token' : 'key';
}

function welcome(): string {
  return `This service asks who you are. The ${word()} stays in this tab, and is sent to this service alone.`;
}

function refusal(): string {
  return `The service does not take this ${word()}: it may have expired or been revoked.`;
}
