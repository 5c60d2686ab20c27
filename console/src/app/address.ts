/** What one looks at: a screen, and the rest of it as texts by name. All of it is in the address, so that a link is a saved view. */
export interface Address {
  readonly screen: string;
  readonly query: Query;
}

export type Query = Readonly<Record<string, string>>;

/** The front: the address of the folder itself. */
export const FRONT = '';

/** Of the path and the query of a page; whatever comes before the last slash is where the console is mounted. */
export function addressOf({ pathname, search }: Pick<URL, 'pathname' | 'search'>): Address {
  return {
    screen: pathname.slice(pathname.lastIndexOf('/') + 1),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** Relative to the console's own folder. What is undefined or empty is left out. */
export function hrefOf(screen: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  const text = new URLSearchParams(given).toString();
  const path = screen === FRONT ? './' : screen;
  return text === '' ? path : `${path}?${text}`;
}
