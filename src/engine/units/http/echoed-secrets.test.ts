import { callUnit, UNIT_REQUEST } from '../../../../test/support/remote-unit.js';
import { startUnitServer, type UnitServer } from '../../../../test/support/unit-server.js';
import { WAYS } from '../../../../test/support/unit-transports.js';
import type { UnitTransport } from '../../ports/unit-transport.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { InProcessExecutor, type UnitHandler } from '../in-process.js';

const TOKEN = 'tok-5f2/9"x';
const BASIC = Buffer.from('ann:pass-w0rd').toString('base64');

describe.each(WAYS)('over %s', (_way, createTransport) => {
  let server: UnitServer;
  let transport: UnitTransport;

  beforeAll(async () => {
    transport = createTransport();
    server = await startUnitServer();
  });
  afterAll(async () => {
    await transport.close();
    await server.close();
  });

  async function outcomeOf(
    body: unknown,
    options: Parameters<typeof callUnit>[0]['options'],
    endpoint = server.url,
  ) {
    server.answer({ body });
    return callUnit({ endpoint, transport, options: options ?? {} });
  }

  const withToken = { headers: { Authorization: `Bearer ${TOKEN}` } };

  describe('a response that echoes a secret', () => {
    it('is masked wherever a text can stand: nested, in keys, in state and metadata', async () => {
      const content = {
        headers: [{ authorization: `Bearer ${TOKEN}` }, TOKEN],
        [`by ${TOKEN}`]: { n: 1 },
        ok: true,
      };
      const outcome = await outcomeOf(
        {
          content,
          state: { seen: TOKEN },
          metadata: { route: 'a', trace: `t=${TOKEN};` },
          tokenUsage: { totalTokens: 3 },
        },
        withToken,
      );
      expect(outcome).toEqual({
        kind: 'finished',
        output: { headers: [{ authorization: '***' }, '***'], 'by ***': { n: 1 }, ok: true },
        patch: { seen: '***' },
        metadata: { route: 'a', trace: 't=***;' },
        usage: { tokens: 3, cost: 0 },
      });
    });

    it('stays frozen', async () => {
      const outcome = await outcomeOf({ content: { deep: [{ token: TOKEN }] } }, withToken);
      const { output } = outcome as unknown as { readonly output: { readonly deep: readonly object[] } };
      expect([output, output.deep, output.deep[0]].every(Object.isFrozen)).toBe(true);
    });

    it.each([
      ['inside a JSON text', JSON.stringify({ TOKEN })],
      ['percent-encoded', `?t=${encodeURIComponent(TOKEN)}`],
      ['in base64', Buffer.from(TOKEN).toString('base64')],
    ])('is masked %s', async (_name, echo) => {
      const outcome = await outcomeOf({ content: { echo } }, withToken);
      expect(JSON.stringify(outcome)).toContain('***');
      expect(JSON.stringify(outcome)).not.toMatch(/5f2|dG9r/);
    });

    it('is masked as plain text', async () => {
      expect(await outcomeOf(`I got ${TOKEN}`, withToken)).toMatchObject({ output: 'I got ***' });
    });

    it('is masked where JSON wrote it in escapes', async () => {
      server.answer({
        headers: { 'content-type': 'application/json' },
        body: `{"content":"tok-\\u0035f2\\/9\\"x"}`,
      });
      expect(await callUnit({ endpoint: server.url, transport, options: withToken })).toMatchObject({
        output: '***',
      });
    });

    it.each([
      ['X-Api-Key', 'k3y-of-ours', 'k3y-of-ours'],
      ['Authorization', `Basic ${BASIC}`, 'ann:pass-w0rd'],
      ['Authorization', `Basic ${BASIC}`, 'pass-w0rd'],
      ['Authorization', `Basic ${BASIC}`, BASIC],
      ['Cookie', 'theme=dark; session=s-7f3a9c', 's-7f3a9c'],
    ])('is masked for the header %s: %s', async (name, value, echo) => {
      expect(await outcomeOf({ content: { echo } }, { headers: { [name]: value } })).toMatchObject({
        output: { echo: '***' },
      });
    });

    it('is masked for the password of the endpoint, and for secrets that were filled in', async () => {
      const endpoint = server.url.replace('//', '//ann:pass-w0rd@');
      const content = ['pass-w0rd', BASIC, 'filled-in', 'PIN 4711'];
      expect(await outcomeOf({ content }, { masked: ['filled-in', '4711'] }, endpoint)).toMatchObject({
        output: ['***', '***', '***', 'PIN ***'],
      });
    });

    it('loses no field when two keys become the same', async () => {
      const content = { [TOKEN]: 1, [`Bearer ${TOKEN}`]: 2, '***': 3 };
      const { output } = (await outcomeOf({ content }, withToken)) as { readonly output: object };
      expect(Object.values(output).sort()).toEqual([1, 2, 3]);
      expect(JSON.stringify(output)).not.toContain('5f2');
    });
  });

  describe('a response is not spoilt', () => {
    it.each([
      ['Accept', 'application/json'],
      ['Content-Type', 'application/json'],
      ['User-Agent', 'flowgate-units'],
      ['X-Version', '2024'],
      ['X-Debug', 'true'],
    ])('by the header %s: %s', async (name, value) => {
      const content = { said: `It is ${value}`, [value]: value };
      expect(await outcomeOf({ content }, { headers: { [name]: value } })).toMatchObject({ output: content });
    });

    it('by secrets of three characters, by the user or by what stands in the query', async () => {
      const endpoint = `${server.url.replace('//', '//ann:pass-w0rd@')}/?mode=production`;
      const content = { said: 'ann is in production since 123' };
      expect(await outcomeOf({ content }, { masked: ['123'] }, endpoint)).toMatchObject({ output: content });
    });

    it('and is the same value where nothing is found', async () => {
      const content = { list: [1, 'two', null], more: { a: 'b' } };
      expect(await outcomeOf({ content }, withToken)).toMatchObject({ output: content });
    });
  });

  describe('code of this process that was given a secret', () => {
    const call = (handler: UnitHandler, logger = new RecordingLogger()) =>
      new InProcessExecutor({ handler }, logger, ['hunter2hunter2']).execute(UNIT_REQUEST, {
        signal: new AbortController().signal,
        idempotencyKey: 'run-1:5',
      });

    it('is masked in what it returns and in what it throws', async () => {
      expect(await call(() => ({ got: ['hunter2hunter2'] }))).toMatchObject({ output: { got: ['***'] } });
      const thrown = await call(() => {
        throw new Error(`${'x'.repeat(490)} hunter2hunter2`);
      });
      expect(thrown).toMatchObject({ kind: 'failed', error: expect.stringMatching(/x \*\*\*$/) });
    });

    it('is masked in what it logs', async () => {
      const logger = new RecordingLogger();
      await call((_request, context) => {
        context.logger.warn('with hunter2hunter2', { hunter2hunter2: ['hunter2hunter2'] });
      }, logger);
      expect(logger.said).toHaveLength(1);
      expect(JSON.stringify(logger.said)).not.toContain('hunter2');
    });
  });
});
