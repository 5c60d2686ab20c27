import { bound, document, gate, remote } from '../../support/workflow-documents.js';

/** A unit, a gate, and another unit. */
export const GATED = {
  id: 'gated',
  yaml: document('gated', [remote('before'), gate('agree'), remote('after')]),
  bindings: (endpoint: string): Readonly<Record<string, unknown>> => ({
    ...bound('before', endpoint),
    ...bound('after', endpoint),
  }),
};

export interface Answer {
  readonly status: number;
  readonly body: {
    readonly runId: string;
    readonly status: string;
    readonly result?: { readonly completedUnits: readonly string[] };
  };
}

/** One request to one replica; nothing is repeated. */
export async function ask(url: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    signal: AbortSignal.timeout(60_000),
    ...(body === undefined
      ? {}
      : {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** Starts a run of `GATED` there, and resolves with its path once it waits at its gate. */
export async function pausedRun(url: string): Promise<string> {
  const { status, body } = await ask(url, '/workflows/gated/runs', { input: {}, sync: true });
  if (status !== 202 || body.status !== 'paused')
    throw new Error(`A run was to wait at its gate, and is ${JSON.stringify(body)}`);
  return `/workflows/gated/runs/${body.runId}`;
}
