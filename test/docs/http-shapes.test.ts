import { readFileSync } from 'node:fs';
import { withShapes } from '../../tools/openapi/shapes.mjs';
import { pages } from './support/http-page.js';

const document = JSON.parse(readFileSync('schemas/openapi.json', 'utf8')) as object;

describe('a list of fields', () => {
  it.each(pages)('of $name is what openapi.json has: npm run openapi renews it', ({ text }) => {
    expect(text).toBe(withShapes(text, document));
  });

  it('is written by hand nowhere, but for JSON-RPC, whose fields no document describes', () => {
    const byHand = pages.flatMap(({ name, text }) => {
      const outside = text.replaceAll(/<!-- shape: [^]*?<!-- end -->/g, '');
      return (
        outside.match(/^\| (?:query|[a-z]+ field) +\||^(?:Body|Query|Answer|Record|Error):$/gm) ?? []
      ).map(() => name);
    });
    expect(byHand).toEqual(['docs/http/agents.md']);
  });

  it('of something that there is not is an error that names it', () => {
    const page = '## GET /nothing\n\n<!-- shape: query -->\n<!-- end -->\n';
    expect(() => withShapes(page, document)).toThrow('openapi.json has no GET /nothing');
  });
});
