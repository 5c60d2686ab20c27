import { excerptOf, marked, type Piece } from './excerpt.js';
import type { Found } from './guide-index.js';

/** Links to what was found, each with its place and an excerpt. */
export function resultsOf(found: readonly Found[]): HTMLElement {
  const list = document.createElement('ol');
  list.append(...found.map(itemOf));
  return list;
}

function itemOf({ address, page, heading, text, words }: Found): HTMLElement {
  const link = document.createElement('a');
  link.href = address;
  const place = element('span', 'place', marked(heading ?? page, words));
  if (heading !== null) place.append(element('small', 'page', marked(page, words)));
  link.append(place, element('span', 'excerpt', excerptOf(text, words)));
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function element(name: string, className: string, pieces: readonly Piece[]): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.append(...pieces.map(nodeOf));
  return made;
}

function nodeOf({ text, isMatch }: Piece): Node | string {
  if (!isMatch) return text;
  const mark = document.createElement('mark');
  mark.textContent = text;
  return mark;
}
