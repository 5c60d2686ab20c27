import { startService, type Service } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, remote } from '../support/workflow-documents.js';

let service: Service;
let unit: UnitServer;

const yaml = document('far', [remote('a')]);
const registering = (endpoint: string) =>
  service.post('/workflows/from-yaml', { yaml, bindings: bound('a', endpoint) });

beforeEach(async () => {
  unit = await startUnitServer({ body: { content: 'ok' } });
});
afterEach(async () => {
  await service.close();
  await unit.close();
});

it('an endpoint at a metadata address is refused at registration, whatever is allowed', async () => {
  service = await startService({ FLOWGATE_ALLOWED_ADDRESSES: '169.254.0.0/16, 127.0.0.1' });
  const { status, body } = await registering('http://ann-user:pass-w@2852039166/latest/meta-data?token=t0p');
  expect([status, body.type]).toEqual([400, 'YamlLoadError']);
  expect(body.error).toContain(
    'bindings["acme.a"].endpoint is link-local or the metadata service of a cloud',
  );
  expect(JSON.stringify(body)).not.toMatch(/ann-user|pass-w|t0p|meta-data/);
  expect((await registering(unit.url)).status).toBe(201);
});

it('a denied address is refused at registration, and a name that leads to it when it is called', async () => {
  service = await startService({ FLOWGATE_DENIED_ADDRESSES: '127.0.0.0/8, ::1' });
  const refused = await registering(unit.url);
  expect([refused.status, refused.body.error]).toEqual([
    400,
    expect.stringContaining('.endpoint is denied by FLOWGATE_DENIED_ADDRESSES: change'),
  ]);
  expect((await registering(`http://localhost:${unit.port}/`)).status).toBe(201);
  const record = await service.start('far');
  expect(record.error).toMatch(
    /^Unit a failed after 1 attempt\(s\): an address of localhost is denied by FLOWGATE_DENIED_ADDRESSES: /,
  );
  expect(unit.acceptedConnections).toBe(0);
});

it('builtin.http is bound by the same rules', async () => {
  service = await startService();
  await service.register(
    document('built-in', [
      { id: 'a', uses: 'builtin.http', config: { endpoint: 'http://169.254.169.254/latest' } },
    ]),
  );
  expect((await service.start('built-in')).error).toMatch(
    /^Unit a failed after 1 attempt\(s\): the address 169\.254\.169\.254 is link-local/,
  );
});

it('a setting with an entry that is no address ends the start with a sentence', async () => {
  service = await startService();
  await expect(startService({ FLOWGATE_DENIED_ADDRESSES: '10.0.0.0/8,10.0.0.0/40' })).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining('FLOWGATE_DENIED_ADDRESSES names "10.0.0.0/40": it must list hosts'),
  });
});
