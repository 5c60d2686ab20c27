/** What somebody reads of tokens, without marks: for anchors, titles and the search. */
export function plainText(tokens) {
  return tokens.map(textOf).join('').replaceAll(/\s+/g, ' ').trim();
}

function textOf(token) {
  switch (token.type) {
    case 'space':
    case 'hr':
    case 'html':
    case 'def':
      return ' ';
    case 'br':
      return ' ';
    case 'code':
      return ` ${token.text} `;
    case 'codespan':
    case 'escape':
      return token.text;
    case 'image':
      return token.text;
    case 'table':
      return [token.header, ...token.rows]
        .flat()
        .map(({ tokens }) => ` ${plainText(tokens)} `)
        .join('');
    case 'list':
      return token.items.map(({ tokens }) => ` ${plainText(tokens)} `).join('');
    default: {
      const inner = token.tokens === undefined ? (token.text ?? '') : token.tokens.map(textOf).join('');
      return ['paragraph', 'heading', 'blockquote'].includes(token.type) ? ` ${inner} ` : inner;
    }
  }
}
