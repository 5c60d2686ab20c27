// Stands in for a model that reads a mail and says what it is about.
import { createServer } from 'node:http';

const answers = {
  classify: ({ input }) => {
    const route = /money back|refund/i.test(input.mail)
      ? 'refund'
      : /broken|error/i.test(input.mail)
        ? 'technical'
        : 'other';
    return { content: `It is about: ${route}.`, metadata: { route }, tokenUsage: { totalTokens: 40 } };
  },
};

/** Starts the units on a free port; resolves with the bindings for them and how to stop them. */
export async function startUnits() {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const { status = 200, ...answer } = answers[request.url.slice(1)](body);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${server.address().port}`;
  const bindings = Object.fromEntries(
    Object.keys(answers).map((name) => [`demo.${name}`, { type: 'http', endpoint: `${address}/${name}` }]),
  );
  return { bindings, stop: () => server.close() };
}
