// The same on Fastify, below a prefix of its own, without the paths that it does not want: a ticket is sorted.
import { startHost } from '../lib/nest-host.mjs';
import { show } from '../lib/show.mjs';

const host = await startHost(new URL('.', import.meta.url));
try {
  const post = (path, body) =>
    fetch(`${host.url}/flows${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { status } = await post('/workflows/from-yaml', { yaml: '' });
  if (status !== 404) throw new Error(`Registration is there: ${status}`);

  const started = await post('/workflows/ticket/runs', {
    input: { text: 'My invoice is wrong' },
    sync: true,
  });
  const record = await started.json();
  if (record.result?.state['output.answer'] !== 'Somebody of billing reads this.')
    throw new Error(`The ticket was not answered: ${JSON.stringify(record)}`);
  show('Flowgate in a Nest application on Fastify, with its own units', record);
} finally {
  await host.stop();
}
