import type { ComponentChildren, JSX } from 'preact';
import { goneSince } from '../api/outage.js';
import { may } from './who-am-i.js';

interface Props extends Omit<JSX.IntrinsicElements['button'], 'disabled' | 'title'> {
  /** What one needs to be allowed. */
  readonly permission: string;
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}

/** A button that changes something: where one may not, it names the permission; while the service is gone, it rests. */
export function PermittedButton({ permission, isBusy = false, children, ...rest }: Props) {
  const isPermitted = may(permission);
  const isGone = goneSince.value !== null;
  const why = isPermitted
    ? isGone
      ? 'The service does not answer at the moment.'
      : undefined
    : `This needs the permission ${permission}.`;
  return (
    <button type="button" {...rest} disabled={!isPermitted || isGone || isBusy} title={why}>
      {children}
      {isPermitted ? null : <span class="unseen"> ({why})</span>}
    </button>
  );
}
