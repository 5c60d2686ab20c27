import { readFileSync } from 'node:fs';

/** One fenced block of a page. */
export interface PageBlock {
  /** The word after the fence: `sh`, `json`, `http`. */
  readonly kind: string;
  /** Without the newline at its end. */
  readonly text: string;
  /** The first line of the block in its page, from 1. */
  readonly line: number;
}

export function readPage(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/** The part of a page under that heading, up to the next one of the same level. */
export function sectionOf(page: string, heading: string): string {
  const level = /^#+ /.exec(heading)?.[0] ?? '';
  const start = page.indexOf(`\n${heading}\n`);
  if (level === '' || start === -1) throw new Error(`No heading "${heading}" stands in the page.`);
  const end = page.indexOf(`\n${level}`, start + heading.length);
  return page.slice(start, end === -1 ? undefined : end);
}

/** The fenced blocks, in their order. */
export function blocksOf(page: string): readonly PageBlock[] {
  return [...page.matchAll(/^```(\S*)\n([^]*?)\n```$/gm)].map(({ 1: kind = '', 2: text = '', index }) => ({
    kind,
    text,
    line: page.slice(0, index).split('\n').length + 1,
  }));
}
