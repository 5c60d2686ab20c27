import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { faultOf, proseOf, targetOf } from './support/page-links.js';

const FOLDERS = [
  '.',
  'docs',
  'docs/concepts',
  'docs/decisions',
  'docs/http',
  'docs/operate',
  'examples',
  'clients/typescript',
  'clients/java',
];
const LINK = /\]\(([^)\s]+)\)/g;
const LEADS_OUT = /^[a-z]+:/;

const pages = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

describe('the links of our pages', () => {
  it('lead to files, and to headings, that there are', () => {
    const links = pages.flatMap((page) =>
      [...proseOf(page).matchAll(LINK)].map(([, link = '']) => ({ page, link })),
    );
    const inside = links.filter(({ link }) => !LEADS_OUT.test(link));
    expect(inside.length).toBeGreaterThan(400);
    const faults = inside.flatMap(({ page, link }) => {
      const fault = faultOf(targetOf(page, link));
      return fault === null ? [] : [`${page}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });
});
