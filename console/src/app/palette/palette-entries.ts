import type { Query } from '../address.js';

/** Something to go to. */
export interface PaletteEntry {
  readonly title: string;
  readonly kind: string;
  readonly screen: string;
  readonly query: Query;
}

const MOST_WORKFLOWS = 8;
const LABEL = /^([\w.-]{1,63}):(\S.{0,255})$/;
/** How ids of runs begin. */
const ID_PART = /^[\da-f][\da-f-]{3,35}$/i;

/** Where what was typed may lead, the likeliest first. */
export function paletteEntries(
  typed: string,
  known: {
    readonly screens: readonly { readonly title: string; readonly screen: string }[];
    readonly workflows: readonly string[];
  },
): readonly PaletteEntry[] {
  const text = typed.trim();
  const lower = text.toLowerCase();
  const [, label, value] = LABEL.exec(text) ?? [];
  const screens = known.screens
    .filter(({ title }) => title.toLowerCase().startsWith(lower))
    .map(({ title, screen }): PaletteEntry => ({ title, kind: 'Screen', screen, query: {} }));
  const workflows = known.workflows
    .filter((id) => text !== '' && id.toLowerCase().includes(lower))
    .slice(0, MOST_WORKFLOWS)
    .map((id): PaletteEntry => ({
      title: id,
      kind: 'Workflow',
      screen: 'workflow',
      query: { workflow: id },
    }));
  const labelled: PaletteEntry[] =
    label === undefined || value === undefined
      ? []
      : [
          {
            title: `Runs with ${label}: ${value}`,
            kind: 'Label',
            screen: 'runs',
            query: { labels: `${label}:${value}` },
          },
        ];
  const byId: PaletteEntry[] = ID_PART.test(text)
    ? [{ title: `Runs whose id begins with ${text}`, kind: 'Runs', screen: 'runs', query: { id: text } }]
    : [];
  const memory: PaletteEntry[] =
    text.length < 3 || !known.screens.some(({ screen }) => screen === 'memory')
      ? []
      : [{ title: `Search the memory for “${text}”`, kind: 'Memory', screen: 'memory', query: { q: text } }];
  return [...labelled, ...screens, ...workflows, ...byId, ...memory];
}
