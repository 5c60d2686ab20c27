import { beginSession, messageOf, post2025, post2026 } from '../support/mcp-clients.js';
import { startService, type Body, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';
import { newSchema } from './support/database.js';
import { onConnection, sharedUrl } from './support/server.js';

const ASKED = { capabilities: { elicitation: { form: {} } } };
const RUN = { name: 'run_workflow', arguments: { workflowId: 'gated', sync: true } };
const YES = { decision: { action: 'accept', content: { approved: true, responder: 'ann' } } };
const LIST = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'list_workflows', arguments: {} },
};

const services: Service[] = [];
const schemas: string[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
  for (const schema of schemas.splice(0))
    await onConnection(({ query }) => query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`));
});

function aSchema(): string {
  const schema = newSchema();
  schemas.push(schema);
  return schema;
}

async function start(schema: string, environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const service = await startService({
    FLOWGATE_STORE: 'postgres',
    FLOWGATE_DATABASE_URL: sharedUrl(),
    FLOWGATE_DATABASE_SCHEMA: schema,
    ...environment,
  });
  services.push(service);
  return service;
}

/** The state of a question that the service asks a client of 2026-07-28, instead of an answer. */
async function askedAt(service: Service): Promise<string> {
  const { result } = messageOf(await post2026(service, 'tools/call', RUN, ASKED)) as Body;
  expect(result).toMatchObject({ requestState: expect.any(String) });
  return result.requestState as string;
}

async function answeredAt(service: Service, requestState: string): Promise<Body> {
  const params = { ...RUN, requestState, inputResponses: YES };
  return messageOf(await post2026(service, 'tools/call', params, ASKED));
}

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

describe.each([
  ['that have no encryption key', {}],
  ['that have the same encryption key', { FLOWGATE_ENCRYPTION_KEY: ENCRYPTION_KEY }],
])('of replicas %s', (_which, environment) => {
  it('a session that began at one goes on at another', async () => {
    const schema = aSchema();
    const [one, other] = [await start(schema, environment), await start(schema, environment)];
    await one.register(document('gated', [gate('agree')]));
    const session = { 'mcp-session-id': await beginSession(one) };
    for (const service of [other, one, other]) {
      const { status, body } = await post2025(service, LIST, session);
      expect([status, body.result.structuredContent.workflows]).toMatchObject([
        200,
        [{ workflowId: 'gated' }],
      ]);
    }
  });

  it('a question that one asked is answered at another, also once the first is gone', async () => {
    const schema = aSchema();
    const [one, other] = [await start(schema, environment), await start(schema, environment)];
    await one.register(document('gated', [gate('agree'), mock('after')]));
    for (const asker of [one, one, other]) {
      const requestState = await askedAt(asker);
      if (asker === other) await services.shift()!.close();
      const { result } = await answeredAt(other, requestState);
      expect(result.structuredContent).toMatchObject({
        status: 'completed',
        result: { completedUnits: ['agree', 'after'] },
      });
    }
  });
});

it('a service on another schema takes neither a session nor a question of these', async () => {
  const [one, stranger] = [await start(aSchema()), await start(aSchema())];
  for (const service of [one, stranger]) await service.register(document('gated', [gate('agree')]));
  const session = { 'mcp-session-id': await beginSession(one) };
  expect((await post2025(stranger, LIST, session)).status).toBe(404);
  const refused = await answeredAt(stranger, await askedAt(one));
  expect(refused.error).toMatchObject({ code: -32_602 });
});
