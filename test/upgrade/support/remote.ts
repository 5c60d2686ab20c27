import type { UnitTransport } from '../../../src/engine/index.js';
import type { Called, When } from './units.ts';

/** Reached over HTTP by the workflows that have a binding. Nothing ever listens there. */
export const ENDPOINT = 'http://units.invalid/remote';

/** Sealed in the encrypted folder. */
export const HEADERS = { 'X-Team': 'payments', Authorization: 'Bearer written-into-the-fixture' };

export interface RemoteAnswer {
  readonly call: Called;
  readonly body: string;
}

/** The remote unit. Its answer holds the headers that it got, so that a run's state shows what a binding kept. */
export function answerTo(headers: Readonly<Record<string, string | undefined>>): RemoteAnswer {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value ?? '']));
  const header = (name: string): string => lower.get(name) ?? '';
  const call = {
    runId: header('x-flowgate-run-id'),
    unitId: header('x-flowgate-unit-id'),
    key: header('idempotency-key'),
    attempt: Number(header('x-flowgate-attempt')),
  };
  const content = `${call.unitId} for ${header('x-team')} by ${header('authorization')}`;
  return { call, body: JSON.stringify({ content }) };
}

/** The remote unit without a network: `then` nobody could be reached, `now` it answers at the old address. */
export function transportAt(when: When, onCall: (call: Called) => void): UnitTransport {
  return {
    post: ({ headers }) => {
      const { call, body } = answerTo(headers);
      onCall(call);
      return Promise.resolve(
        when === 'then'
          ? { kind: 'network-error', reason: 'connection refused' }
          : { kind: 'response', status: 200, headers: { 'content-type': 'application/json' }, body },
      );
    },
    close: () => Promise.resolve(),
  };
}
