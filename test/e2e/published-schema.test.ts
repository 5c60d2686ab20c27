import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { startService, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

const PATH = '/schemas/workflow.v1.json';
const FILE = readFileSync('schemas/workflow.v1.schema.json', 'utf8');

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('GET /schemas/workflow.v1.json', () => {
  it('is the published schema, byte for byte', async () => {
    const { status, text, headers } = await service.get(PATH);
    expect([status, text]).toEqual([200, FILE]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(FILE)));
  });

  it('is what an editor can check a document with', async () => {
    const validate = new Ajv2020({ strictTypes: false }).compile((await service.get(PATH)).body as object);
    expect(validate(parse(document('x', [mock('a')])))).toBe(true);
    expect(validate({ apiVersion: 'flowgate/v1' })).toBe(false);
  });

  it('is 304 for a client that has it, and is revalidated each time', async () => {
    const first = await service.get(PATH);
    const etag = String(first.headers['etag']);
    expect(first.headers['cache-control']).toBe('no-cache');
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await service.call('GET', PATH, { headers: { 'if-none-match': known } });
      expect([known, again.status, again.text, again.headers['etag']]).toEqual([known, 304, '', etag]);
    }
    const other = await service.call('GET', PATH, { headers: { 'if-none-match': '"other"' } });
    expect([other.status, other.text]).toEqual([200, FILE]);
  });

  it('has a HEAD, accepts no other method, and is at no other path', async () => {
    const head = await service.call('HEAD', PATH);
    expect([head.status, head.text]).toEqual([200, '']);
    const post = await service.call('POST', PATH, { body: {} });
    expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD']);
    expect((await service.get('/schemas')).status).toBe(404);
    expect((await service.get('/schemas/workflow.v2.json')).status).toBe(404);
  });
});
