// A remote unit is any HTTP endpoint that takes `{ input, state, context }` and answers JSON.
import { createServer } from 'node:http';

const answers = {
  '/greet': ({ input }) => ({ content: `Hello, ${input.name}!` }),
  '/shout': ({ input }) => ({ content: input.text.toUpperCase(), tokenUsage: { totalTokens: 3 } }),
};

/** Starts the units on a free port; resolves with their address and how to stop them. */
export async function startUnits() {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[request.url](body)));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}
