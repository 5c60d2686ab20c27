// What a page of Markdown says, without its code: the pieces that are read as sentences, each with its line, and the lines of its tables.
import { lexer } from 'marked';

/** What a script writes between two comments is corrected in the script: `<!-- bench:engine -->` to `<!-- /bench:engine -->`. */
const GENERATED = /^<!-- ([\w-]+:[\w-]+) -->$[^]*?^<!-- \/\1 -->$/gm;
/** Stands for a piece of code: one word, and none that a rule knows. */
const CODE = '`…`';

/** `text`: the page. Gives `{ pieces: [{ line, text }], tableLines: [{ line, text }] }`; lines count from 1. */
export function readPage(text) {
  const page = { pieces: [], tableLines: [] };
  const written = text.replaceAll(GENERATED, (block) => block.replaceAll(/[^\n]/g, ''));
  readBlocks(lexer(written), 1, page);
  return page;
}

/** Tokens keep the line breaks of what they were read from, so that their lines can be counted. */
function readBlocks(tokens, firstLine, page) {
  let line = firstLine;
  for (const token of tokens) {
    readBlock(token, line, page);
    line += token.raw.split('\n').length - 1;
  }
}

function readBlock(token, line, page) {
  if (token.type === 'table') readTable(token, line, page);
  else if (token.type === 'list') readBlocks(token.items, line, page);
  else if (token.type === 'list_item' || token.type === 'blockquote') readBlocks(token.tokens, line, page);
  else if (token.type === 'paragraph' || token.type === 'heading' || token.type === 'text')
    page.pieces.push({ line, text: proseOf(token.tokens ?? [token]) });
}

function readTable({ raw, header, rows }, line, page) {
  for (const [index, text] of raw.trimEnd().split('\n').entries())
    page.tableLines.push({ line: line + index, text });
  // The second line, of dashes, is no row.
  for (const [index, row] of [header, ...rows].entries())
    for (const cell of row)
      page.pieces.push({ line: line + (index === 0 ? 0 : index + 1), text: proseOf(cell.tokens) });
}

/** The text of inline tokens on one line; what is shown as code is one word. */
function proseOf(tokens) {
  return tokens
    .map((token) => {
      if (token.type === 'codespan') return CODE;
      if (token.type === 'html') return '';
      if (token.type === 'br') return ' ';
      if (token.type === 'escape' || token.type === 'image') return token.text;
      // `raw`: `text` may have its quotation marks escaped for HTML.
      return token.tokens === undefined ? token.raw : proseOf(token.tokens);
    })
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
