import { UNIT_REQUEST } from '../../../../test/support/remote-unit.js';
import type { JsonObject } from '../../core/json.js';
import type { Secrets } from '../../ports/secrets.js';
import type { UnitExecutor, UnitRequest } from '../../ports/unit-executor.js';
import { SecretExecutor } from './secret-executor.js';

/** Calls a unit whose config and headers refer to the secret TOKEN. */
async function callWith(
  read: Secrets['read'],
  more: {
    readonly namespace?: string;
    readonly secrets?: Pick<Secrets, 'hostsOf'>;
    readonly endpoint?: string;
    /** What the run has put into the config next to what its author wrote. */
    readonly written?: JsonObject;
  } = {},
) {
  const calls: UnitRequest[] = [];
  const unit: UnitExecutor = {
    execute: async (request) => {
      calls.push(request);
      return { kind: 'finished', output: 'done', patch: null, usage: null, metadata: null };
    },
  };
  const config = { account: 'acc-${secret:TOKEN}' };
  const executor = new SecretExecutor(
    { read, ...more.secrets },
    {
      headers: { authorization: 'Bearer ${secret:TOKEN}' },
      config,
      endpointOf: ({ endpoint = more.endpoint ?? null }) => endpoint,
      executorWith: () => unit,
    },
  );
  const { endpoint: _endpoint, secrets: _secrets, written = {}, ...namespace } = more;
  const context = { ...UNIT_REQUEST.context, config: { ...config, ...written }, ...namespace };
  const outcome = await executor.execute(
    { ...UNIT_REQUEST, context },
    { signal: new AbortController().signal, idempotencyKey: 'run-1:5' },
  );
  return { outcome, calls };
}

describe('a unit whose secret', () => {
  it('is there is called with it', async () => {
    const { outcome, calls } = await callWith(async () => 'hunter2');
    expect(outcome).toMatchObject({ kind: 'finished' });
    expect(calls[0]?.context.config).toEqual({ account: 'acc-hunter2' });
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('vault at 10.0.0.7 refused the token abc'))],
    [
      'throws',
      () => {
        throw new Error('vault at 10.0.0.7 refused the token abc');
      },
    ],
  ])('cannot be read, because the adapter %s, has failed and is tried again', async (_name, read) => {
    const { outcome, calls } = await callWith(read);
    expect(calls).toEqual([]);
    expect(outcome).toEqual({
      kind: 'failed',
      error: 'the secret TOKEN could not be read: check where secrets come from',
      retryable: true,
      outcome: 'refused',
      retryAfterMs: null,
    });
  });

  it.each([null, undefined, 7])('is %p is not called, and not tried again', async (value) => {
    const { outcome, calls } = await callWith(async () => value as never);
    expect(calls).toEqual([]);
    expect(outcome).toMatchObject({
      error: 'the secret TOKEN is not set: set FLOWGATE_SECRET_TOKEN or mount it',
      retryable: false,
      outcome: 'refused',
    });
  });

  it.each([
    [{}, 'default'],
    [{ namespace: 'acme' }, 'acme'],
  ])('is read in the namespace of its run: %j', async (context, expected) => {
    const { calls } = await callWith(async ({ namespace }) => `of ${namespace}`, context);
    expect(calls[0]?.context.config).toEqual({ account: `acc-of ${expected}` });
  });

  it('is named by what a run has written into the config is not called with that one', async () => {
    const written = { note: '${secret:OTHER} and ${secret:TOKEN}' };
    const { calls } = await callWith(async ({ name }) => `of ${name}`, { written });
    expect(calls[0]?.context.config).toMatchObject({ note: '${secret:OTHER} and of TOKEN' });
  });

  it.each([
    ['acme-2', 'set FLOWGATE_SECRET_ACME_2__TOKEN or mount acme-2/TOKEN in the folder of secrets'],
    ['a--b', 'mount a--b/TOKEN in the folder of secrets'],
  ])('is not set in %s says where to set it', async (namespace, remedy) => {
    const { outcome } = await callWith(async () => null, { namespace });
    expect(outcome).toMatchObject({ error: `the secret TOKEN is not set: ${remedy}` });
  });
});

describe('a unit whose secret is bound to hosts', () => {
  const bound = (hosts: unknown, endpoint?: string, written?: JsonObject) =>
    callWith(async () => 'hunter2', {
      secrets: { hostsOf: async () => hosts as readonly string[] },
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(written === undefined ? {} : { written }),
    });

  it.each([
    ['https://api.example.com/v1', ['api.example.com']],
    ['https://API.example.com.:8443/', ['other.example', ' api.example.com ']],
    ['http://a.b.example.com', ['*.example.com']],
    ['http://[::1]:80/', ['::1']],
    ['http://2130706433/', ['127.0.0.1']],
    ['http://anywhere.example', null],
  ])('is called at %s for %j', async (endpoint, hosts) => {
    const { outcome, calls } = await bound(hosts, endpoint);
    expect([outcome.kind, calls.length]).toEqual(['finished', 1]);
  });

  it.each([
    ['https://evil.example/?u=s3', ['api.example.com'], 'evil.example'],
    ['https://ann:pw@example.com/', ['*.example.com'], 'example.com'],
    ['https://api.example.com.evil.example/', ['api.example.com'], 'api.example.com.evil.example'],
    ['https://api.example.com@evil.example/', ['api.example.com'], 'evil.example'],
    ['https://api.example.com/', ['https://api.example.com'], 'api.example.com'],
    ['https://api.example.com/', [], 'api.example.com'],
    ['https://api.example.com/', 'api.example.com', 'api.example.com'],
  ])('is not called at %s for %j, nor again', async (endpoint, hosts, host) => {
    const { outcome, calls } = await bound(hosts, endpoint);
    expect(calls).toEqual([]);
    expect(outcome).toEqual({
      kind: 'failed',
      error: `the secret TOKEN may not be sent to ${host}: add the host to FLOWGATE_SECRET_HOSTS_TOKEN, or change the unit's endpoint`,
      retryable: false,
      outcome: 'refused',
      retryAfterMs: null,
    });
  });

  it('and is code of this process is not called', async () => {
    const { outcome, calls } = await bound(['api.example.com']);
    expect(calls).toEqual([]);
    expect(outcome).toMatchObject({
      error:
        'the secret TOKEN is bound to hosts by FLOWGATE_SECRET_HOSTS_TOKEN, and this unit is called at none: give it a secret of its own',
      retryable: false,
    });
  });

  it('has no error with the value where that stands for the host', async () => {
    const { outcome } = await bound(['api.example.com'], undefined, {
      endpoint: 'https://${secret:TOKEN}.example.com/',
    });
    expect(outcome).toMatchObject({ error: expect.stringContaining('may not be sent to that host') });
    expect(JSON.stringify(outcome)).not.toContain('hunter2');
  });

  it('is not called where the hosts cannot be determined, but tried again', async () => {
    const { outcome, calls } = await callWith(async () => 'hunter2', {
      secrets: { hostsOf: () => Promise.reject(new Error('vault is away')) },
    });
    expect(calls).toEqual([]);
    expect(outcome).toMatchObject({
      error: 'the secret TOKEN could not be read: check where secrets come from',
      retryable: true,
    });
  });
});

it('is prepared once for as long as its secrets are the same, and again when one has changed', async () => {
  const values = ['a', 'a', 'b', 'b', 'line\nbreak', 'a'];
  const made: (readonly string[])[] = [];
  const executor = new SecretExecutor(
    { read: async () => values.shift() ?? null },
    {
      headers: { 'x-key': '${secret:TOKEN}' },
      config: {},
      endpointOf: () => null,
      executorWith: (headers, masked) => {
        made.push([headers['x-key'] ?? '', ...masked]);
        const outcome = {
          kind: 'finished',
          output: headers,
          patch: null,
          usage: null,
          metadata: null,
        } as const;
        return { execute: async () => outcome };
      },
    },
  );
  const outcomes = [];
  while (values.length > 0) {
    outcomes.push(
      await executor.execute(UNIT_REQUEST, {
        signal: new AbortController().signal,
        idempotencyKey: 'run-1:5',
      }),
    );
  }
  const sent = outcomes.map((outcome) => (outcome.kind === 'finished' ? outcome.output : outcome.error));
  const keyed = (key: string) => ({ 'x-key': key });
  const refused = expect.stringContaining('x-key must be one line');
  expect(sent).toEqual([keyed('a'), keyed('a'), keyed('b'), keyed('b'), refused, keyed('a')]);
  expect(made).toEqual([
    ['a', 'a'],
    ['b', 'b'],
    ['a', 'a'],
  ]);
});
