import { Lexer, Parser, Renderer } from 'marked';
import { anchorsOfPage } from './anchors.mjs';
import { escaped } from './escaped.mjs';
import { highlighted } from './highlighted.mjs';
import { plainText } from './plain-text.mjs';

const COMMENT = /<!--[^]*?-->/g;
const TAG = /<[^>]*>/g;
/** What of HTML a page may have: anchors of what has moved, and what Markdown has no mark for. None can carry a style or a script. */
const ALLOWED_TAG = /^(?:<a id="[\w-]+">|<\/a>|<br ?\/?>|<\/?(?:details|summary|kbd|sub|sup)>)$/;
const ANCHOR = /<a id="([\w-]+)">/g;
/** Smaller headings are part of what is found and listed above them. */
const DEEPEST_SECTION = 4;

/**
 * A page of Markdown as HTML, with what else the guide needs of it. `linkTo(href)` says where a link leads in the guide, null if it
 * is to be a text; `pictureAt(href)` gives the address of a picture and its size, null if there is none.
 *
 * - `sections`: what a search finds, in their order; the first has no heading of its own.
 * - `anchors`: where links may lead.
 * - `faults`: sentences about what a page may not have.
 */
export function readMarkdown(text, { linkTo, pictureAt }) {
  const renderer = new PageRenderer(linkTo, pictureAt);
  const tokens = new Lexer({ gfm: true }).lex(text);
  const html = new Parser({ renderer }).parse(tokens);
  const { headings, faults, marks } = renderer;
  return {
    html,
    faults,
    title: headings.find(({ depth }) => depth === 1)?.text ?? null,
    headings,
    anchors: new Set([...headings.map(({ anchor }) => anchor), ...marks]),
    sections: sectionsOf(tokens, headings),
  };
}

class PageRenderer extends Renderer {
  headings = [];
  faults = [];
  /** The anchors that stand in the text. */
  marks = [];
  anchorOf = anchorsOfPage();

  constructor(linkTo, pictureAt) {
    super();
    this.linkTo = linkTo;
    this.pictureAt = pictureAt;
  }

  heading({ tokens, depth }) {
    const text = plainText(tokens);
    const anchor = this.anchorOf(text);
    this.headings.push({ depth, text, anchor });
    const inner = this.parser.parseInline(tokens);
    const mark =
      depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="Link to ${escaped(text)}">#</a>`;
    return `<h${depth} id="${anchor}">${inner}${mark}</h${depth}>\n`;
  }

  code({ text, lang }) {
    const [language = ''] = (lang ?? '').split(/\s/);
    // A page is wider than a phone: what scrolls has to be reached by keys as well.
    return `<pre tabindex="0"><code>${highlighted(text, language)}</code></pre>\n`;
  }

  table(token) {
    return `<div class="table" tabindex="0">${super.table(token)}</div>\n`;
  }

  link({ href, tokens }) {
    const text = this.parser.parseInline(tokens);
    const leadsTo = this.linkTo(href);
    return leadsTo === null
      ? `<span class="elsewhere">${text}</span>`
      : `<a href="${escaped(leadsTo)}">${text}</a>`;
  }

  image({ href, text }) {
    if (text.trim() === '') this.faults.push(`the picture ${href} has no text for those who do not see it`);
    const picture = this.pictureAt(href);
    if (picture === null) return escaped(text);
    const { address, width, height } = picture;
    // Without its size, what is below it would move when it comes.
    const size = width === undefined ? '' : ` width="${width}" height="${height}"`;
    return `<img src="${address}" alt="${escaped(text)}"${size} loading="lazy">`;
  }

  html({ text }) {
    const shown = text.replaceAll(COMMENT, '');
    for (const [tag] of shown.matchAll(TAG))
      if (!ALLOWED_TAG.test(tag))
        this.faults.push(`${tag} is HTML that the guide does not take: write it as code`);
    for (const [, anchor] of shown.matchAll(ANCHOR)) this.marks.push(anchor);
    return shown;
  }
}

function sectionsOf(tokens, headings) {
  const sections = [{ heading: null, anchor: null, tokens: [] }];
  let next = 0;
  for (const token of tokens) {
    // Headings within lists or quotes are none of the page's own, but were counted with them.
    if (token.type === 'heading') {
      const text = plainText(token.tokens);
      while (headings[next].text !== text || headings[next].depth !== token.depth) next++;
      const { anchor } = headings[next++];
      if (token.depth > 1 && token.depth <= DEEPEST_SECTION) {
        sections.push({ heading: text, anchor, tokens: [] });
        continue;
      }
      if (token.depth === 1) continue;
    }
    sections.at(-1).tokens.push(token);
  }
  return sections.map(({ heading, anchor, tokens: own }) => ({ heading, anchor, text: plainText(own) }));
}
