// An orders application on Express, with a guard of its own: Bob orders, and Ann approves what is expensive.
import { startHost } from '../lib/nest-host.mjs';
import { show } from '../lib/show.mjs';

const host = await startHost(new URL('.', import.meta.url));
try {
  const refused = await call('GET', '/flowgate/workflows', null);
  if (refused.status !== 401) throw new Error(`Without a token: ${refused.status}`);

  const small = await call('POST', '/orders', 'bob', { item: 'lamp', quantity: 2, price: 30 });
  console.log(`${small.body.status}, receipt ${small.body.receipt}`);

  const large = await call('POST', '/orders', 'bob', { item: 'desk', quantity: 2, price: 900 });
  console.log(large.body.status);
  const run = `/flowgate/workflows/order/runs/${large.body.id}`;
  const { body: record } = await call('POST', `${run}/hitl`, 'ann', { approved: true, responder: 'mallory' });
  const { responder } = record.result.state['output.approve'];
  if (record.status !== 'completed' || responder !== 'ann')
    throw new Error(`The order is ${record.status}, approved by ${responder}.`);

  const third = await call('POST', '/orders', 'bob', { item: 'desk', quantity: 1, price: 900 });
  if (third.body.status !== 'failed') throw new Error('There was a third desk.');
  console.log(third.body.error);
  show('units and workflows of a Nest application, behind its own guard', record);
} finally {
  await host.stop();
}

async function call(method, path, person, body) {
  const headers = { 'content-type': 'application/json' };
  if (person !== null) headers.authorization = `Bearer token-of-${person}`;
  const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(host.url + path, request);
  return { status: response.status, body: await response.json() };
}
