import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const FOLDERS = [
  '.',
  'docs',
  'docs/decisions',
  'docs/operate',
  'examples',
  'clients/typescript',
  'clients/java',
];
const OF_CODE = /^```[^]*?^```/gm;
const LINK = /\]\(([^)\s]+)\)/g;
const HEADING = /^#{1,6} (.*)$/gm;
const LEADS_OUT = /^[a-z]+:/;

const pages = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

const textOf = (page: string): string => readFileSync(page, 'utf8').replaceAll(OF_CODE, '');

/** As a heading is addressed where Markdown is shown; the second of a name has `-1`. */
function anchorsOf(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = [...textOf(page).matchAll(HEADING)].map(([, heading = '']) => {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim();
    const anchor = plain
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set(anchors);
}

function faultOf(page: string, link: string): string | null {
  const [path = '', anchor = ''] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(target)) return `${page}: there is no ${target}`;
  if (anchor === '' || !target.endsWith('.md') || anchorsOf(target).has(anchor)) return null;
  return `${page}: ${target} has no heading for #${anchor}`;
}

describe('the links of our pages', () => {
  it('lead to files, and to headings, that there are', () => {
    const links = pages.flatMap((page) =>
      [...textOf(page).matchAll(LINK)].map(([, link = '']) => ({ page, link })),
    );
    const inside = links.filter(({ link }) => !LEADS_OUT.test(link));
    expect(inside.length).toBeGreaterThan(400);
    expect(inside.map(({ page, link }) => faultOf(page, link)).filter((fault) => fault !== null)).toEqual([]);
  });
});
