import { here, href } from '../app/router.js';

interface Props {
  readonly label: string;
  /** Their words in the address, and what is shown of them. */
  readonly tabs: readonly (readonly [string, string])[];
  readonly current: string;
}

/** Parts of a screen. Each has an address, so they are links. */
export function Tabs({ label, tabs, current }: Props) {
  const { screen, query } = here.value;
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([name, title]) => (
        <a
          key={name}
          href={href(screen, { ...query, tab: name })}
          aria-current={name === current ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
