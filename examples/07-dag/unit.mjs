// The steps of a release. `began` is what had ended when a step began: a step that begins too early shows.
import { createServer } from 'node:http';

const done = new Set();

const answers = {
  step: ({ context }) => {
    const began = [...done].sort();
    done.add(context.unitId);
    return { content: { began } };
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
