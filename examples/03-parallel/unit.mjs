// Three suppliers; the third one is out of order today.
import { createServer } from 'node:http';

const answers = {
  north: ({ input }) => ({ content: { supplier: 'north', price: 12 * input.pieces } }),
  south: ({ input }) => ({ content: { supplier: 'south', price: 11 * input.pieces } }),
  east: () => ({ status: 503, error: 'closed for stocktaking' }),
  // Units see the shared state, so the one that compares finds every quote there is.
  cheapest: ({ state }) => {
    const quotes = Object.values(state).filter((value) => typeof value?.price === 'number');
    return { content: quotes.sort((a, b) => a.price - b.price)[0] };
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
