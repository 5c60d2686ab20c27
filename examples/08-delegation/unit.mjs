// A lead who hands out work, and two specialists. The lead is asked again until nothing is left to hand out.
import { createServer } from 'node:http';

const answers = {
  lead: ({ input, state }) => {
    const code = state['output.coder'];
    const verdict = state['output.tester'];
    if (code === undefined)
      return delegate({ targetUnitId: 'coder', task: `Write ${input.goal}` }, { targetUnitId: 'tester' });
    if (verdict !== 'good')
      return delegate({ targetUnitId: 'coder', task: verdict }, { targetUnitId: 'tester' });
    return { content: `Done: ${code}` };
  },
  code: ({ input, state }) => ({
    content: state['output.coder'] === undefined ? input.task : `${state['output.coder']}, with tests`,
  }),
  test: ({ state }) => ({ content: state['output.coder'].includes('tests') ? 'good' : 'Tests are missing' }),
};

function delegate(...delegations) {
  return { content: 'in work', metadata: { delegations } };
}

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
