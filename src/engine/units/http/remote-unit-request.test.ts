import { callUnit, NOW, UNIT_REQUEST } from '../../../../test/support/remote-unit.js';
import { startUnitServer, type UnitServer } from '../../../../test/support/unit-server.js';
import { WAYS } from '../../../../test/support/unit-transports.js';
import type { UnitTransport } from '../../ports/unit-transport.js';

describe.each(WAYS)('over %s', (_way, createTransport) => {
  let server: UnitServer;
  let transport: UnitTransport;

  beforeAll(() => {
    transport = createTransport();
  });

  beforeEach(async () => {
    server = await startUnitServer();
  });

  afterEach(() => server.close());
  afterAll(() => transport.close());

  async function sent(call: Partial<Parameters<typeof callUnit>[0]> = {}) {
    await callUnit({ endpoint: `${server.url}/extract?v=1`, transport, ...call });
    return server.requests.at(-1)!;
  }

  describe('what a remote unit receives', () => {
    test('is a POST of input, state and context, and nothing else', async () => {
      const context = { ...UNIT_REQUEST.context, internal: 'ours' };
      const request = await sent({ request: { ...UNIT_REQUEST, context } });
      expect(request).toMatchObject({ method: 'POST', url: '/extract?v=1' });
      expect(JSON.parse(request.body)).toEqual(UNIT_REQUEST);
    });

    test('carries our headers', async () => {
      const { headers } = await sent({ idempotencyKey: 'run-1:5' });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'idempotency-key': 'run-1:5',
        'x-flowgate-run-id': UNIT_REQUEST.context.runId,
        'x-flowgate-unit-id': 'extract',
        'x-flowgate-attempt': '2',
      });
      expect(headers['traceparent']).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    });

    test('carries a unit id of any script as percent-encoded UTF-8 in its header, and as it is in its body', async () => {
      const context = { ...UNIT_REQUEST.context, unitId: '2-prüfung.审批' };
      const { headers, body } = await sent({ request: { ...UNIT_REQUEST, context } });
      expect(headers['x-flowgate-unit-id']).toBe('2-pr%C3%BCfung.%E5%AE%A1%E6%89%B9');
      expect(JSON.parse(body).context.unitId).toBe('2-prüfung.审批');
    });

    test('has one span for each attempt of an execution, and the same one when an attempt is repeated', async () => {
      const spanOf = async (context: object) => {
        const request = { ...UNIT_REQUEST, context: { ...UNIT_REQUEST.context, ...context } };
        return (await sent({ request })).headers['traceparent'];
      };
      const first = await spanOf({ executionId: '1', attempt: 11 });
      expect(await spanOf({ executionId: '1', attempt: 11 })).toBe(first);
      const others = [
        await spanOf({ executionId: '1', attempt: 12 }),
        await spanOf({ executionId: '11', attempt: 1 }),
        await spanOf({ executionId: '2', attempt: 11 }),
      ];
      expect(new Set([first, ...others]).size).toBe(4);
    });

    test("carries the binding's headers, over which ours win whatever their case", async () => {
      const headers = {
        Authorization: 'Bearer t',
        Accept: 'application/json',
        'CONTENT-TYPE': 'text/plain',
        'idempotency-KEY': 'theirs',
        Traceparent: 'theirs',
        'x-flowgate-attempt': 'theirs',
      };
      const request = await sent({ options: { headers } });
      expect(request.headers).toMatchObject({
        authorization: 'Bearer t',
        accept: 'application/json',
        'content-type': 'application/json',
        'idempotency-key': 'run-1:5',
        'x-flowgate-attempt': '2',
      });
      expect(request.rawHeaders.join()).not.toContain('theirs');
      const names = request.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
    });

    test('says what we can read, unless the binding says otherwise; never that we can read what is compressed', async () => {
      const acceptedWith = async (headers: Readonly<Record<string, string>>) => {
        const { accept, 'accept-encoding': encoding } = (await sent({ options: { headers } })).headers;
        return [accept, encoding];
      };
      expect(await acceptedWith({})).toEqual(['application/json, text/plain, */*', 'identity']);
      const own = { ACCEPT: 'text/csv', 'Accept-Encoding': 'br' };
      expect(await acceptedWith(own)).toEqual(['text/csv', 'identity']);
    });

    test("tells it the deadline, which the binding's own limit brings forward but never defers", async () => {
      const deadlineOf = async (timeoutMs: number | null, deadlineAt: number) => {
        const request = { ...UNIT_REQUEST, context: { ...UNIT_REQUEST.context, deadlineAt } };
        const { body } = await sent({ request, options: { timeoutMs } });
        return (JSON.parse(body) as typeof UNIT_REQUEST).context.deadlineAt;
      };
      expect(await deadlineOf(null, NOW + 9000)).toBe(NOW + 9000);
      expect(await deadlineOf(5000, NOW + 9000)).toBe(NOW + 5000);
      expect(await deadlineOf(10_000, NOW + 9000)).toBe(NOW + 9000);
    });
  });
});
