import { startService, type Service } from '../support/service.js';
import { fieldsOf } from './support/answer-fields.js';
import { answerOfBlock } from './support/exchange.js';
import { masked } from './support/masked.js';
import { firstCode } from './support/page-tables.js';
import { probe } from './support/probe.js';
import { unitLimits } from './support/unit-limits.js';
import { setUnitStage } from './support/unit-stage.js';
import { blockOf, namesIn, tableOf } from './support/units-page.js';

/** Of every connection, whatever is sent. */
const OF_THE_CONNECTION = new Set(['host', 'connection', 'content-length']);

const stage = setUnitStage();

/** The page's unit listens at port 9000, this one where there was room. */
const here = (text: string): string => text.replaceAll('127.0.0.1:9000', `127.0.0.1:${stage.server.port}`);

describe('the remote unit of the page', () => {
  const [head = '', body = ''] = blockOf('http').split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const input = { price: 100, customer: 'ada', note: 'urgent' };

  async function play() {
    const { body: said } = answerOfBlock(blockOf('http', 1));
    stage.server.answer({ body: said });
    await stage.service.register(blockOf('yaml'), JSON.parse(here(blockOf('json'))));
    const record = await stage.service.start('pricing', { input, sync: true });
    const [request] = stage.server.requests;
    if (request === undefined) throw new Error('The unit was not called.');
    return { record, request, received: JSON.parse(request.body) as Record<string, unknown> };
  }

  it('receives what the page shows', async () => {
    const { request, received } = await play();
    expect(`${request.method} ${request.url} HTTP/1.1`).toBe(first);
    const sent = Object.entries(request.headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
    const shown = lines.map((line) => line.split(': ') as [string, string]);
    expect(traceless(Object.fromEntries(sent))).toEqual(traceless(Object.fromEntries(shown)));
    expect(traceless(received)).toEqual(traceless(JSON.parse(body)));
  });

  it('has no header and no field that the tables lack, nor the other way round', async () => {
    const { request, received } = await play();
    const ours = Object.keys(request.headers).filter(
      (name) => !OF_THE_CONNECTION.has(name) && name !== 'x-team',
    );
    expect(namesIn('header', 'holds').toSorted()).toEqual(ours.toSorted());
    const documented = namesIn('received field');
    expect(fieldsOf([received], documented)).toEqual(documented.toSorted());
  });

  it('receives the headers of its binding, which replace accept and nothing else of ours', async () => {
    const names = namesIn('header', 'holds');
    const headers = Object.fromEntries(names.map((name) => [name, 'of-the-binding']));
    await probe(stage.service, { endpoint: stage.server.url, binding: { headers } });
    const replaced = names.filter((name) => stage.server.requests[0]?.headers[name] === 'of-the-binding');
    expect(replaced).toEqual(['accept']);
  });

  it('answers what the page shows, and the run has it', async () => {
    const { record } = await play();
    expect(record.result).toMatchObject({
      state: { 'output.add-tax': { gross: 119 }, taxed: true },
      tokenUsage: 12,
      cost: 0.01,
    });
  });
});

describe('a binding', () => {
  const register = (binding: unknown, other: Service = stage.service) =>
    other.post('/workflows/from-yaml', { yaml: blockOf('yaml'), bindings: { 'acme.tax': binding } });

  it('has the fields that the page lists', async () => {
    const { body } = await register({ type: 'http', endpoint: stage.server.url, other: 1 });
    expect(body.error).toContain(`; use ${namesIn('binding field').join(', ')}.`);
  });

  it.each(tableOf('binding').rows)('of line $line is refused with what stands there', async ({ cells }) => {
    const { status, body } = await register(JSON.parse(firstCode(cells[0])));
    expect([status, body.type]).toEqual([400, 'YamlLoadError']);
    expect(body.details.map(({ message }: { message: string }) => message)).toEqual([firstCode(cells[1])]);
  });

  it.each(tableOf('endpoint').rows)('of the endpoint of line $line is judged so', async ({ cells }) => {
    const [variable = '', value = ''] = firstCode(cells[1]).split('=');
    const own = await startService(variable === '' ? {} : { [variable]: value });
    const { status, body } = await register({ type: 'http', endpoint: firstCode(cells[0]) }, own);
    await own.close();
    const said = status === 201 ? 'registered' : body.details[0].message;
    expect(said).toBe(firstCode(cells[2]) || cells[2]);
  });
});

describe('a limit', () => {
  const limitRows = tableOf('limit').rows;

  it.each(limitRows)('of line $line is kept: $cells.0', async ({ cells }) => {
    const [limit = '', most = '', setting] = cells;
    const keep = unitLimits.get(limit);
    if (keep === undefined) throw new Error(`Say in support/unit-limits.ts how to try: ${limit}`);
    expect(limitRows).toHaveLength(unitLimits.size);
    await keep({
      service: stage.service,
      server: stage.server,
      most: Number(most.replaceAll(',', '')),
      setting: firstCode(setting),
    });
  });
});

/** Without ids of traces and spans as well. */
function traceless(value: unknown): unknown {
  const text = JSON.stringify(masked(value));
  return JSON.parse(
    text.replaceAll(/\b[0-9a-f]{32}\b/g, '<trace>').replaceAll(/-[0-9a-f]{16}-/g, '-<span>-'),
  );
}
