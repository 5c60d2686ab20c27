import { useEffect } from 'preact/hooks';
import { useOpenGates } from '../approvals/open-gates.js';
import { IdentityTools } from '../identity/identity-tools.js';
import { SignIn, SignInAgain, needsSignIn } from '../identity/sign-in.js';
import { Toasts } from '../ui/toasts.js';
import { FRONT } from './address.js';
import { CommandPalette } from './palette/command-palette.js';
import { KeysHelp } from './keys-help.js';
import { Navigation } from './navigation.js';
import { OutageBar, UpgradeBar } from './outage-bar.js';
import { helpIsOpen, paletteIsOpen } from './overlays.js';
import { here, href } from './router.js';
import { screenOf } from './screens.js';

/** All that is around a screen. */
export function Shell() {
  const { screen } = here.value;
  const { title, component: Component, isWide = false } = screenOf(screen);
  useEffect(() => {
    document.title = title === 'Flowgate' ? title : `${title} · Flowgate`;
  }, [title]);
  useOpenGates();
  return (
    <>
      <a class="skip button" href="#main">
        To the content
      </a>
      <header class="bar">
        <a class="brand" href={href(FRONT)}>
          <svg
            viewBox="0 0 24 24"
            width="20"
            height="20"
            fill="none"
            stroke="currentColor"
            stroke-width="2.25"
            stroke-linejoin="round"
            aria-hidden="true"
          >
            <path d="M2 12h5M17 12h5M12 7l5 5-5 5-5-5z" />
          </svg>
          <span>Flowgate</span>
        </a>
        <Navigation />
        <div class="tools">
          <button type="button" class="find" onClick={() => (paletteIsOpen.value = true)}>
            <svg
              viewBox="0 0 24 24"
              width="16"
              height="16"
              fill="none"
              stroke="currentColor"
              stroke-width="2"
              stroke-linecap="round"
              aria-hidden="true"
            >
              <path d="M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20 20" />
            </svg>
            <span>Find</span>
            <kbd>Ctrl K</kbd>
          </button>
          <IdentityTools />
        </div>
      </header>
      <OutageBar />
      <UpgradeBar />
      <main id="main" tabIndex={-1} class={isWide ? 'wide' : ''}>
        {needsSignIn.value ? <SignIn /> : <Component />}
      </main>
      <SignInAgain />
      <Toasts />
      {paletteIsOpen.value ? <CommandPalette /> : null}
      {helpIsOpen.value ? <KeysHelp /> : null}
    </>
  );
}
