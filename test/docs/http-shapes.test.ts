import { readFileSync } from 'node:fs';
import { withShapes } from '../../tools/openapi/shapes.mjs';
import { pages } from './support/http-page.js';

const document = JSON.parse(readFileSync('schemas/openapi.json', 'utf8')) as object;

/** Without what Prettier adds to a table. */
const unpadded = (page: string): string => page.replaceAll(/ +\|/g, ' |').replaceAll(/ -{3,} /g, ' --- ');

describe('a table of fields', () => {
  it.each(pages)('of $name is what openapi.json has: npm run openapi renews it', ({ text }) => {
    expect(unpadded(text)).toBe(unpadded(withShapes(text, document)));
  });

  it('is written by hand nowhere, but for JSON-RPC, whose fields no document describes', () => {
    const byHand = pages.flatMap(({ name, text }) => {
      const outside = text.replaceAll(/<!-- shape: [^]*?<!-- end of shape -->/g, '');
      return (outside.match(/^\| (?:query|[a-z]+ field) +\|/gm) ?? []).map(() => name);
    });
    expect(byHand).toEqual(['docs/http/agents.md']);
  });

  it('of something that there is not is an error that names it', () => {
    const page = '<!-- shape: query of GET /nothing -->\n<!-- end of shape -->\n';
    expect(() => withShapes(page, document)).toThrow('openapi.json has no GET /nothing');
  });
});
