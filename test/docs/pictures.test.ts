import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { FOLDER, pictures } from '../../tools/pictures/pictures.ts';
import { proseOf, targetOf } from './support/page-links.js';
import { inkOf, isWithin, overlap } from './support/svg-ink.js';

const drawn = pictures();
const files = [...drawn.keys()];
const svgOf = (file: string): string => drawn.get(file) ?? '';

/** The colours that `tokens.test.ts` of the console holds to 4.8:1 and more, on each of its grounds and in both schemes. */
const READABLE = ['text', 'muted', 'accent', 'running', 'gate', 'paused', 'retrying', 'completed', 'failed'];
/** The narrowest width at which a page shows a picture, and the smallest letters there. */
const [NARROW, SMALLEST] = [640, 11];

const IMAGE = /!\[([^\]]*)\]\(([^)\s]+)\)/g;
const included = ['README.md', ...globSync('docs/{*,concepts/*,http/*}.md')]
  .map((page) => page.replaceAll('\\', '/'))
  .flatMap((page) =>
    [...proseOf(page).matchAll(IMAGE)].map(([, alt = '', link = '']) => ({
      page,
      alt,
      file: targetOf(page, link),
    })),
  );

describe('the pictures of the pages', () => {
  it.each(files)('have %s as it is drawn: npm run pictures', (file) => {
    expect(readFileSync(join(FOLDER, file), 'utf8')).toBe(svgOf(file));
  });

  it('are no others than those that are drawn', () => {
    const there = globSync('**/*.svg', { cwd: FOLDER }).map((file) => file.replaceAll('\\', '/'));
    expect(there.toSorted()).toEqual(files.toSorted());
  });
});

describe.each(files)('the picture %s', (file) => {
  const svg = svgOf(file);
  const ink = inkOf(svg);

  it('says in words what it shows, by a title and a description that it names', () => {
    const [, title, description] = /aria-labelledby="(\S+) (\S+)"/.exec(svg) ?? [];
    expect(new RegExp(`<title id="${title}">(.+)</title>`).exec(svg)?.[1]?.length).toBeGreaterThan(5);
    expect(new RegExp(`<desc id="${description}">(.+)</desc>`).exec(svg)?.[1]?.length).toBeGreaterThan(40);
  });

  it('has colours of its own for the dark scheme', () => {
    const [light = '', dark = ''] = svg.split('@media (prefers-color-scheme: dark)');
    const rules = [...dark.matchAll(/\.(?:fill|line)-\w+\{/g)].map(([rule]) => rule);
    expect(rules.length).toBeGreaterThan(3);
    for (const rule of rules) expect(light).toContain(rule);
  });

  it('has no text in a colour that could not be read', () => {
    expect(ink.texts.length).toBeGreaterThan(2);
    expect(ink.texts.filter(({ colour }) => !READABLE.includes(colour))).toEqual([]);
  });

  it('can be read where it is narrow', () => {
    const sizes = [...svg.matchAll(/font-size:(\d+)px/g)].map(([, size]) => Number(size));
    const scale = Math.min(1, NARROW / ink.width);
    expect(Math.min(...sizes) * scale).toBeGreaterThanOrEqual(SMALLEST);
  });

  it('has each text for itself, within the picture and on no border', () => {
    const { texts, boxes, width, height } = ink;
    const all = { left: 8, top: 4, right: width - 8, bottom: height - 4 };
    expect(texts.filter((text) => !isWithin(text, all))).toEqual([]);
    for (const [index, text] of texts.entries()) {
      expect(texts.slice(index + 1).filter((other) => overlap(text, other))).toEqual([]);
      expect([text.text, boxes.filter((box) => overlap(text, box) && !isWithin(text, box))]).toEqual([
        text.text,
        [],
      ]);
    }
  });

  it('has no line through a text', () => {
    for (const text of ink.texts.filter(({ isOnStrip }) => !isOnStrip))
      expect([text.text, ink.lines.filter((line) => overlap(text, line))]).toEqual([text.text, []]);
  });

  it('is on a page, with its description in its place', () => {
    const alts = included.filter((image) => image.file === join(FOLDER, file)).map(({ alt }) => alt);
    expect(alts.length).toBeGreaterThan(0);
    const [, description = ''] = /<desc [^>]*>(.*)<\/desc>/.exec(svg) ?? [];
    for (const alt of alts) expect(alt).toBe(description);
  });
});

describe('an image of a page', () => {
  it('is there, and has a text in its place', () => {
    expect(included.length).toBeGreaterThan(files.length);
    expect(included.filter(({ alt, file }) => alt === '' || !existsSync(file))).toEqual([]);
  });

  it('of the console is a photograph that is small, with a sentence in its place', () => {
    const photographs = globSync('**/*.webp', { cwd: FOLDER }).map((file) => join(FOLDER, file));
    expect(photographs).toHaveLength(3);
    for (const photograph of photographs) {
      expect(statSync(photograph).size).toBeLessThanOrEqual(60 * 1024);
      const alts = included.filter(({ file }) => file === photograph).map(({ alt }) => alt.length);
      expect([photograph, alts.some((length) => length > 60)]).toEqual([photograph, true]);
    }
  });

  it('is in the package, where the page is', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly files: readonly string[];
    };
    const isPacked = (path: string): boolean => manifest.files.some((glob) => matchesGlob(path, glob));
    const lost = included.filter(
      ({ page, file }) => (page === 'README.md' || isPacked(page)) && !isPacked(file),
    );
    expect(lost).toEqual([]);
  });
});
