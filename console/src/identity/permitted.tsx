import type { ComponentChildren, JSX } from 'preact';
import { goneSince } from '../api/outage.js';
import { session } from './session.js';
import { may } from './who-am-i.js';

interface Props extends Omit<JSX.IntrinsicElements['button'], 'disabled' | 'title'> {
  /** What one needs to be allowed. */
  readonly permission: string;
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A button that changes something: where one may not, it names the permission; it rests while the service is gone, or does not take who
 * is asking. A button that is `disabled` loses the focus, and whoever uses the keyboard their place: this one keeps it, and does nothing.
 */
export function PermittedButton({ permission, isBusy = false, children, onClick, ...rest }: Props) {
  const isPermitted = may(permission);
  const rests = whyResting();
  const why = isPermitted ? (rests ?? undefined) : `This needs the permission ${permission}.`;
  const isResting = !isPermitted || rests !== null || isBusy;
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isResting}
      onClick={isResting ? preventDefault : onClick}
      title={why}
    >
      {children}
      {isPermitted ? null : <span class="unseen"> ({why})</span>}
    </button>
  );
}

/** A form is not sent either. */
function preventDefault(event: Event): void {
  event.preventDefault();
}

function whyResting(): string | null {
  if (session.isRefused.value) return 'Sign in again first.';
  return goneSince.value === null ? null : 'The service does not answer at the moment.';
}
