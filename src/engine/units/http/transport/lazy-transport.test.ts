import type { TransportResponse, UnitTransport } from '../../../ports/unit-transport.js';
import { LazyTransport } from './lazy-transport.js';

const RESPONSE: TransportResponse = { kind: 'response', status: 200, headers: {}, body: '1' };
const CLOSED: TransportResponse = { kind: 'network-error', reason: 'transport is closed' };
const ENDPOINT = { url: 'http://unit/', headers: {}, maxResponseBytes: 10 };
const CALL = { headers: [], body: '{}', attempt: { signal: new AbortController().signal } };
const REQUEST = { ...ENDPOINT, body: '{}', signal: new AbortController().signal };

/** Counts how often it is made, and how many endpoints were requested. */
function counted() {
  const counts = { made: 0, endpoints: 0, closed: 0 };
  const respond = () => Promise.resolve(counts.closed === 0 ? RESPONSE : CLOSED);
  const transport: Required<UnitTransport> = {
    post: respond,
    callsTo: () => {
      counts.endpoints += 1;
      return { post: respond };
    },
    close: () => {
      counts.closed += 1;
      return Promise.resolve();
    },
  };
  const lazy = new LazyTransport(() => {
    counts.made += 1;
    return Promise.resolve(transport);
  });
  return { counts, lazy };
}

it('is loaded once, with the first endpoint or the first call', async () => {
  const { counts, lazy } = counted();
  expect(counts.made).toBe(0);
  const endpoint = lazy.callsTo(ENDPOINT);
  expect(await Promise.all([endpoint.post(CALL), endpoint.post(CALL), lazy.post(REQUEST)])).toEqual([
    RESPONSE,
    RESPONSE,
    RESPONSE,
  ]);
  await endpoint.post(CALL);
  expect(counts).toEqual({ made: 1, endpoints: 1, closed: 0 });
});

it('hands out the endpoints of the transport itself once that is loaded', async () => {
  const { counts, lazy } = counted();
  await lazy.post(REQUEST);
  expect(await lazy.callsTo(ENDPOINT).post(CALL)).toEqual(RESPONSE);
  expect(counts.endpoints).toBe(1);
});

it('is not loaded to be closed', async () => {
  const { counts, lazy } = counted();
  await lazy.close();
  expect(counts).toEqual({ made: 0, endpoints: 0, closed: 0 });
});

it('is closed once it is loaded where it was still loading, and calls are refused then', async () => {
  const { counts, lazy } = counted();
  const endpoint = lazy.callsTo(ENDPOINT);
  await lazy.close();
  expect(counts.closed).toBeGreaterThan(0);
  expect(await endpoint.post(CALL)).toEqual(CLOSED);
});

it('refuses calls that come after it was closed', async () => {
  const { lazy } = counted();
  await lazy.close();
  expect(await lazy.post(REQUEST)).toEqual(CLOSED);
});
