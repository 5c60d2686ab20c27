import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const OF_CODE = /^```[^]*?^```/gm;
const HEADING = /^#{1,6} (.*)$/gm;
/** An anchor that has no heading of its own, such as one whose section has moved. */
const ANCHOR = /<a id="([^"]+)"><\/a>/g;

/** A page without its fenced blocks. */
export const proseOf = (page: string): string => readFileSync(page, 'utf8').replaceAll(OF_CODE, '');

/** As a heading is addressed where Markdown is shown; the second of a name has `-1`. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const prose = proseOf(page);
  const seen = new Map<string, number>();
  const headings = [...prose.matchAll(HEADING)].map(([, heading = '']) => {
    const anchor = slugOf(heading);
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set([...headings, ...[...prose.matchAll(ANCHOR)].map(([, anchor = '']) => anchor)]);
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** What a link of a page leads to, from the root of the repository: `docs/http/runs.md#get-runs`. */
export function targetOf(page: string, link: string): string {
  const [path = '', anchor] = link.split('#');
  const target = (path === '' ? page : normalize(join(dirname(page), path))).replaceAll('\\', '/');
  return anchor === undefined ? target : `${target}#${anchor}`;
}

/** Why that place cannot be gone to; null: it can. */
export function faultOf(place: string): string | null {
  const [path = '', anchor = ''] = place.split('#');
  if (!existsSync(path)) return `there is no ${path}`;
  if (anchor === '' || !path.endsWith('.md') || anchorsOf(path).has(anchor)) return null;
  return `${path} has no heading for #${anchor}`;
}
