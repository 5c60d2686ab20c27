import type { UnitTemplate } from './project-files.js';

const UNIT = `// The unit \`greet\` of workflows/hello.yaml: a program that answers POST at PORT. \`flowgate dev\` starts it, and again after each save.
import { createServer } from 'node:http';

/** What \`with\` of the unit gives. */
export interface Input {
  readonly name: string;
}

export function greet({ name }: Input): string {
  return \`Hello, \${name}!\`;
}

// Its test imports the function, and starts nothing.
if (/[\\\\/]greet\\.ts$/.test(process.argv[1] ?? '')) {
  createServer(async (request, response) => {
    const respond = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    try {
      let body = '';
      for await (const text of request.setEncoding('utf8')) body += text;
      const { input } = JSON.parse(body) as { readonly input: Input };
      respond(200, { content: greet(input) });
    } catch (error) {
      respond(400, { error: String(error) });
    }
  }).listen(Number(process.env['PORT'] ?? 9000), '127.0.0.1');
}
`;

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greet } from './greet.ts';

test('greets by name', () => {
  assert.equal(greet({ name: 'Ada' }), 'Hello, Ada!');
});
`;

/** Node takes the types away itself: nothing is compiled or installed. */
const MANIFEST = { private: true, type: 'module', scripts: { test: 'node --test' } };

export const TYPESCRIPT_UNIT: UnitTemplate = {
  file: 'greet.ts',
  files: {
    'units/greet.ts': UNIT,
    'units/greet.test.ts': TEST,
    'package.json': `${JSON.stringify(MANIFEST, null, 2)}\n`,
  },
  testCommand: 'node --test',
  image: 'node:24-bookworm-slim',
  command: ['node', 'units/greet.ts'],
};
