// A remote unit is any HTTP endpoint that takes `{ input, state, context }` and answers JSON.
import { createServer } from 'node:http';

/**
 * Serves each answer at a path of its own, on a free port; an answer's `status` becomes the response's. Resolves with
 * the bindings, `demo.<name>` for each, and how to stop.
 */
export async function serveUnits(answers) {
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
