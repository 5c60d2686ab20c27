import type { JSX } from 'preact';
import { openGates } from '../approvals/open-gates.js';
import { has } from '../api/settings.js';
import { here, href } from './router.js';
import { screenOf } from './screens.js';

interface Entry {
  readonly screen: string;
  readonly title: string;
  /** The part of the interface without which there is nothing to show. */
  readonly feature: string;
  readonly icon: JSX.Element;
}

const ENTRIES: readonly Entry[] = [
  {
    screen: 'approvals',
    title: 'Approvals',
    feature: 'hitl',
    icon: <path d="M12 3 21 12 12 21 3 12zM9 12l2 2 4-4" />,
  },
  { screen: 'runs', title: 'Runs', feature: 'runs', icon: <path d="M4 6h16M4 12h16M4 18h10" /> },
  {
    screen: 'workflows',
    title: 'Workflows',
    feature: 'workflows',
    icon: <path d="M5 3h4v4H5zM15 10h4v4h-4zM5 17h4v4H5zM7 7v10M7 12h8" />,
  },
  {
    screen: 'memory',
    title: 'Memory',
    feature: 'memory',
    icon: <path d="M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20 20" />,
  },
  { screen: 'service', title: 'Service', feature: 'health', icon: <path d="M3 12h4l3-7 4 14 3-7h4" /> },
];

export const shownEntries = (): readonly Entry[] => ENTRIES.filter(({ feature }) => has(feature));

export function Navigation() {
  const { entry } = screenOf(here.value.screen);
  const open = openGates.value;
  return (
    <nav aria-label="Screens">
      {shownEntries().map(({ screen, title, icon }) => (
        <a key={screen} href={href(screen)} aria-current={entry === screen ? 'page' : undefined}>
          <svg
            viewBox="0 0 24 24"
            width="20"
            height="20"
            fill="none"
            stroke="currentColor"
            stroke-width="1.75"
            stroke-linecap="round"
            stroke-linejoin="round"
            aria-hidden="true"
          >
            {icon}
          </svg>
          <span>{title}</span>
          {screen === 'approvals' && open > 0 ? (
            <span class="count">
              {open}
              <span class="unseen"> open</span>
            </span>
          ) : null}
        </a>
      ))}
    </nav>
  );
}
