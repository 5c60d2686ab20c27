import type { RunRecord } from '../../../src/engine/index.js';
import type { Service } from '../../support/service.js';
import type { ReceivedRequest, Reply, UnitServer } from '../../support/unit-server.js';
import { document, mock } from '../../support/workflow-documents.js';
import { codeIn } from './page-tables.js';

/** What is asked of a unit that is called twice at most, without a pause between. */
export interface Probe {
  readonly endpoint: string;
  /** More of the binding. */
  readonly binding?: object;
  /** More of the unit. */
  readonly unit?: object;
}

export const TWICE = { retry: { maxAttempts: 2, baseMs: 0, jitter: false } };

/** Runs one remote unit to its end. */
export async function probe(service: Service, { endpoint, binding, unit }: Probe): Promise<RunRecord> {
  // What ends before it leaves a checkpoint, from which a failed run can be resumed.
  const units = [mock('before'), { id: 'probe', uses: 'acme.probe', ...unit }];
  const yaml = document('probe', units, { policy: TWICE });
  await service.register(yaml, { 'acme.probe': { type: 'http', endpoint, ...binding } });
  return service.start('probe');
}

/** The output of a run, or the cause for which its unit failed. */
export function outcomeOf({ result, error }: RunRecord): unknown {
  if (result !== undefined) return result.state['output.probe'];
  return error?.replace(/^Unit probe failed after \d+ attempt\(s\): /, '');
}

/** `200 `text/plain` `done``: what the server is to say; null: the cell says it in words. */
export function replyOf(cell: string): Reply | null {
  const [, status] = /^(\d{3})(?: `|$)/.exec(cell) ?? [];
  if (status === undefined) return null;
  const [type, body] = codeIn(cell);
  const location = { location: 'http://127.0.0.1:9000/elsewhere' };
  return {
    status: Number(status),
    headers: {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(status.startsWith('3') ? location : {}),
    },
    ...(body === undefined ? {} : { body }),
  };
}

export function keysOf(requests: readonly ReceivedRequest[]): readonly string[] {
  return requests.map(({ headers }) => String(headers['idempotency-key']));
}

/** How to bring about what the page says in words, by those words. */
export const mishaps: ReadonlyMap<string, (server: UnitServer) => Probe> = new Map([
  [
    'the connection breaks',
    (server: UnitServer): Probe => {
      server.answer((_request, response) => void response.destroy());
      return { endpoint: server.url };
    },
  ],
  // Port 1 belongs to a service that nobody runs any more.
  ['nobody listens', (): Probe => ({ endpoint: 'http://127.0.0.1:1/' })],
  [
    "the binding's `timeoutMs` of 400 passes",
    (server: UnitServer): Probe => {
      server.answer(() => undefined);
      return { endpoint: server.url, binding: { timeoutMs: 400 } };
    },
  ],
  [
    "the unit's `unitMs` of 400 passes",
    (server: UnitServer): Probe => {
      server.answer(() => undefined);
      return { endpoint: server.url, unit: { policyOverrides: { timeout: { unitMs: 400 } } } };
    },
  ],
  [
    'a body of more than 10 MiB',
    (server: UnitServer): Probe => {
      server.answer({ body: 'x'.repeat(10 * 1024 * 1024 + 1) });
      return { endpoint: server.url };
    },
  ],
]);
