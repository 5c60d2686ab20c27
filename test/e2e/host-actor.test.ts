import { UnauthorizedException, type INestApplication } from '@nestjs/common';
import { Engine, type FlowgateModuleOptions, type HostRequest } from '../../src/index.js';
import type express from 'express';
import { ADAPTERS, startHost } from '../support/host.js';
import { serviceOf, type Service } from '../support/service.js';
import { document, gate } from '../support/workflow-documents.js';

let app: INestApplication | undefined;
let service: Service;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const byHeader = ({ headers }: HostRequest) => headers['x-person']?.toString();

async function host(
  adapter: (typeof ADAPTERS)[number],
  actor?: FlowgateModuleOptions['actor'],
): Promise<void> {
  app = await startHost({ adapter, flowgate: actor === undefined ? {} : { actor } });
  service = serviceOf(app, '/flowgate');
  await service.register(document('gated', [gate('agree')]));
}

/** The recorded responder of a decision. */
async function responderAfter(body: object, headers: Record<string, string>): Promise<unknown> {
  const { runId } = await service.start('gated');
  const answer = await service.post(
    `/workflows/gated/runs/${runId}/hitl`,
    { approved: true, ...body },
    headers,
  );
  return answer.body.result?.state['output.agree'].responder;
}

describe.each(ADAPTERS)('on %s', (adapter) => {
  it('without the option the responder is who the body says', async () => {
    await host(adapter);
    expect(await responderAfter({ responder: 'eve' }, { 'x-person': 'ada' })).toBe('eve');
    expect(await responderAfter({}, {})).toBe('user');
  });

  it('the principal of the host counts, not the name in the body', async () => {
    await host(adapter, byHeader);
    expect(await responderAfter({ responder: 'eve' }, { 'x-person': 'ada' })).toBe('ada');
  });

  it('a caller whom the host does not know is anonymous, whatever the body says', async () => {
    await host(adapter, byHeader);
    expect(await responderAfter({ responder: 'eve' }, {})).toBe('user');
  });

  it('the same at the gateway', async () => {
    await host(adapter, (request) => Promise.resolve(byHeader(request)));
    const { runId, workflowId } = await service.start('gated');
    const params = {
      name: 'respond_hitl',
      arguments: { workflowId, runId, approved: true, responder: 'eve' },
    };
    const { body } = await service.post('/mcp', { method: 'tools/call', params }, { 'x-person': 'ada' });
    const record = JSON.parse(body.result.content[0].text);
    expect(record.result.state['output.agree'].responder).toBe('ada');
  });

  it('an error of the option is answered like a refusal of a guard, and nothing is done', async () => {
    await host(adapter, (request) => {
      throw new UnauthorizedException(`who are you, ${byHeader(request)}?`);
    });
    for (const path of ['/workflows/gated/runs', '/mcp']) {
      const { status, body } = await service.post(path, { method: 'initialize' });
      expect([path, status, body]).toMatchObject([path, 401, { error: 'who are you, undefined?' }]);
    }
  });

  it('what cannot be a principal is a fault of the host, and nothing is done', async () => {
    for (const wrong of ['', 'x'.repeat(257), 'two\nlines', 7 as unknown as string]) {
      await host(adapter, () => wrong);
      expect((await service.post('/workflows/gated/runs', {})).status).toBe(500);
      expect((await service.post('/mcp', { method: 'initialize' })).status).toBe(500);
      await app?.close();
    }
  });
});

it('a request as the host types it can be read without a cast', async () => {
  await host('express', async (request: express.Request & { user?: { id: string } }) => request.user?.id);
  expect(await responderAfter({}, {})).toBe('user');
  await app?.close();
  await host('fastify', (request: HostRequest & { user?: { id: string } }) => request.user?.id);
  expect(await responderAfter({}, {})).toBe('user');
});

it.each(['cancel', 'pause'])(
  'the actor of a %s is whom the host knows, not whom the body names',
  async (how) => {
    const whoDid = async (headers: Record<string, string>) => {
      const { runId, workflowId } = await service.start('gated');
      const path = `/workflows/${workflowId}/runs/${runId}`;
      await service.post(`${path}/${how}`, { by: 'eve' }, headers);
      const { messages } = (await service.get(`${path}/messages`)).body;
      return messages.find(({ type }: { type: string }) => /^run-(paused|cancelled)$/.test(type));
    };
    const says = (by: string) => (how === 'cancel' ? { by } : { error: `Paused by ${by}` });
    await host('express', byHeader);
    expect(await whoDid({ 'x-person': 'ada' })).toMatchObject(says('ada'));
    expect(await whoDid({})).toMatchObject(says('user'));
    await app?.close();
    await host('express');
    expect(await whoDid({})).toMatchObject(says('eve'));
  },
);

it('the actors of a start and a resume are recorded too', async () => {
  const seen: unknown[] = [];
  await host('express', byHeader);
  const { runs } = app!.get(Engine);
  const start = runs.start.bind(runs);
  runs.start = (request) => {
    seen.push(request.by);
    return start(request);
  };
  await service.post('/workflows/gated/runs', {}, { 'x-person': 'ada' });
  await service.post('/workflows/gated/runs', {});
  expect(seen).toEqual([
    { id: 'ada', owner: 'ada', via: 'http', auth: 'host' },
    { id: 'user', owner: null, via: 'http', auth: 'none' },
  ]);
});
