import { createHash } from 'node:crypto';
import { FlowgateClient, type ForkOptions } from 'flowgate-client';
import { startService, type Service } from '../../../test/support/service.js';
import { wordsOfOthers } from '../../../test/support/surface-vocabulary.js';
import { document, gate, mock } from '../../../test/support/workflow-documents.js';
import { BOTH_MODES, inProcess, type Mode } from './support/modes.js';

const BOOTSTRAP = 'what-somebody-made-up-to-begin-with-and-no-more';
const NO_RUN = '01a1f2f0-0000-7000-8000-000000000000';
/** Its end is right, and its beginning is not. */
const HEAD = '{"format":"other"}\n';
const NO_EXPORT = `${HEAD}{"lastSeq":1,"sha256":"${createHash('sha256').update(HEAD).digest('hex')}"}\n`;
const NO_HASH = '0'.repeat(64);

/** What somebody did with a client, and all that they are told. */
type Mistake<Asked> = readonly [
  what: string,
  call: (asked: Asked) => Promise<unknown> | FlowgateClient,
  text: string,
];

async function messageOf(call: () => Promise<unknown> | FlowgateClient): Promise<string> {
  try {
    await call();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It was not refused.');
}

interface Started {
  readonly mode: Mode;
  readonly over: string;
  readonly gates: string;
}

const ABOUT_RUNS: readonly Mistake<Started>[] = [
  [
    'compensates what has nothing to compensate',
    ({ mode, over }) => mode.client.compensate('plain', over),
    'No compensation of the run RUN has failed, so none is tried again: its compensation in listRuns() says how it stands',
  ],
  [
    'gives a key again with something else',
    async ({ mode }) => {
      await mode.client.startWorkflow('plain', { n: 1 }, { idempotencyKey: 'k' });
      return mode.client.startWorkflow('plain', { n: 2 }, { idempotencyKey: 'k' });
    },
    'The idempotencyKey k stands for another request: give a new one',
  ],
  [
    'decides where two gates are open',
    ({ mode, gates }) => mode.client.respondHITL('gates', gates, true),
    'Several gates are open: name one of them by gateId\n',
  ],
  [
    'starts a workflow by a name that is nearly right',
    ({ mode }) => mode.client.startWorkflow('plan'),
    'Unknown workflow: plan\nDid you mean plain?',
  ],
  [
    'approves in a run that is over',
    ({ mode, over }) => mode.client.respondHITL('plain', over, true),
    'Unknown run: RUN\nThe run is over (completed): nobody waits for this decision any more.',
  ],
  [
    'forks from two places',
    ({ mode, over }) =>
      mode.client.fork('plain', over, { from: { snapshotId: 'a', unitId: 'b' } } as unknown as ForkOptions),
    'from',
  ],
  [
    'says when a start is answered that does not wait',
    ({ mode }) => mode.client.startWorkflow('plain', {}, { syncUntil: 'gate' }),
    'syncUntil says when sync is answered: give both, or neither',
  ],
  [
    'has a cursor of something else',
    ({ mode, over }) => mode.client.getMessages('plain', over, { cursor: 'x' }),
    'cursor is none of these messages: ',
  ],
  [
    'registers a document with a word of another language',
    ({ mode }) => mode.client.loadAndRegister(document('cron', [mock('a')], { schedule: '0 3 * * *' })),
    'a workflow has no schedule: have a scheduler, such as cron, start its runs',
  ],
];

describe.each(BOTH_MODES)('a client of %s', (_name, start) => {
  let started: Started;
  beforeAll(async () => {
    const mode = await start({ retries: 0 });
    const { client } = mode;
    await client.loadAndRegister(document('plain', [mock('a')]));
    const parallel = { flow: { type: 'parallel', units: ['one', 'two'] } };
    await client.loadAndRegister(document('gates', [gate('one'), gate('two')], parallel));
    const { runId: over } = await client.startWorkflow('plain', {}, { sync: true });
    const { runId: gates } = await client.startWorkflow('gates', {}, { sync: true });
    started = { mode, over, gates };
  });
  afterAll(() => started.mode.close());

  it.each(ABOUT_RUNS)('that %s is told in words of code', async (_what, call, text) => {
    const message = await messageOf(() => call(started));
    expect(message.replaceAll(started.over, 'RUN')).toContain(text);
    expect(wordsOfOthers(message, ['code'])).toEqual([]);
  });
});

interface Guarded {
  readonly url: string;
  readonly admin: FlowgateClient;
  readonly open: FlowgateClient;
}

const ABOUT_A_SERVICE: readonly Mistake<Guarded>[] = [
  [
    'has no token',
    ({ url }) => new FlowgateClient({ baseUrl: url }).listRuns(),
    'This needs a valid key or token: give the client a token',
  ],
  [
    'has a token that is not good',
    ({ url }) => new FlowgateClient({ baseUrl: url, token: 'fgk_none' }).listRuns(),
    'This needs a valid key or token: give the client a token\n' +
      'The token that the client has is not good: give it another one, or a function that gets one whenever it is needed',
  ],
  [
    'has a function that gives no good token',
    ({ url }) => new FlowgateClient({ baseUrl: url, token: () => 'fgk_none' }).listRuns(),
    'This needs a valid key or token: give the client a token\n' +
      'The function that the client has as its token gave one that is not good',
  ],
  [
    'revokes a key that is none',
    ({ admin }) => admin.revokeKey('nobodys-key-1'),
    'There is no key nobodys-key-1: listKeys() lists those that there are',
  ],
  [
    'ends what nobody has',
    ({ admin }) => admin.revokeOwner('a\u0007b'),
    'owner must be 1 to 256 characters without control characters, in the normal form C of Unicode',
  ],
  [
    'looks for a run that is gone',
    ({ open }) => open.getRunById(NO_RUN),
    `Unknown run: ${NO_RUN}\nlistRuns() lists the runs that are kept, and with idPrefix those whose id begins so; one that ` +
      'ended long ago may have been deleted (FLOWGATE_RETENTION_DAYS).',
  ],
  [
    'reads a version that is none',
    ({ open }) => open.getWorkflow('plain', { hash: NO_HASH }),
    `The workflow plain has no version ${NO_HASH}: listVersions() names those that are kept`,
  ],
  [
    'imports what is no export',
    ({ open }) => open.importRun(NO_EXPORT),
    'The first line is no header of an export ("format": "flowgate-run/1"): give what exportRun() gave',
  ],
  [
    'lists the keys of a service that has none',
    ({ open }) => open.listKeys(),
    'This server asks nobody who they are, so there is nothing of this: start it with FLOWGATE_AUTH=keys',
  ],
  ['has no address', () => new FlowgateClient({ baseUrl: '' }), 'baseUrl is no address: write http://'],
  [
    'has an address where nothing is',
    () => new FlowgateClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 }).listRuns(),
    'is the service running, and is baseUrl its address?',
  ],
];

describe('a client of a service that asks who is asking, or of another one', () => {
  let services: readonly Service[] = [];
  let guarded: Guarded;
  beforeAll(async () => {
    const bootstrap = createHash('sha256').update(BOOTSTRAP).digest('hex');
    const asking = await startService({ FLOWGATE_AUTH: 'keys', FLOWGATE_BOOTSTRAP_KEY_SHA256: bootstrap });
    const open = await startService();
    services = [asking, open];
    await open.register(document('plain', [mock('a')]));
    const first = new FlowgateClient({ baseUrl: asking.url, token: BOOTSTRAP });
    const grants = [{ namespace: '*', roles: ['admin'] }];
    const { secret } = await first.makeKey({ owner: 'ada@example.com', grants });
    guarded = {
      url: asking.url,
      admin: new FlowgateClient({ baseUrl: asking.url, token: secret }),
      open: new FlowgateClient({ baseUrl: open.url }),
    };
  });
  afterAll(async () => {
    for (const service of services) await service.close();
  });

  it.each(ABOUT_A_SERVICE)('that %s is told in words of code', async (_what, call, text) => {
    const message = await messageOf(() => call(guarded));
    expect(message).toContain(text);
    expect(
      wordsOfOthers(message.replace(/"[^"]*"|no header of an export/g, ''), ['code', 'service']),
    ).toEqual([]);
  });

  it('is told which namespaces it has', async () => {
    const { secret } = await guarded.admin.makeKey({
      owner: 'ci@example.com',
      grants: [{ namespace: 'billing', roles: ['viewer'] }],
    });
    const client = new FlowgateClient({ baseUrl: guarded.url, token: secret, namespace: 'sales' });
    expect(await messageOf(() => client.listRuns())).toBe(
      'Nothing is granted in the namespace sales: whoami() lists the namespaces that are',
    );
  });
});

describe('a client in process', () => {
  it('is told what only a service has, and how to reach one', async () => {
    const mode = await inProcess();
    expect(await messageOf(() => mode.client.listKeys())).toBe(
      'There are no API keys in process: give the client the baseUrl of a service',
    );
    await mode.close();
    expect(await messageOf(() => new FlowgateClient({ token: 'fgk_x' }))).toBe(
      'token and namespace are for a service: give its baseUrl, or leave them out',
    );
  });
});
