// A writer and a critic; the text gets better with every round of criticism.
import { createServer } from 'node:http';

const answers = {
  write: ({ input }) => ({
    content: input.criticism === null ? 'A draft.' : `${input.draft} Better: ${input.criticism}`,
    tokenUsage: { totalTokens: 100, estimatedCost: 0.002 },
  }),
  review: ({ input }) => {
    const improvements = input.draft.split('Better').length - 1;
    return { content: { score: 0.5 + 0.2 * improvements, criticism: `point ${improvements + 1}.` } };
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
