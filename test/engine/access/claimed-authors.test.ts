import {
  createEngine,
  type ActingEngine,
  type Engine,
  type EngineOptions,
  type PublicEvent,
} from '../../../src/engine/index.js';
import { inSequence } from '../../support/engine.js';
import { POLICY, principalOf } from './support/acting-world.js';

const opened: Engine[] = [];
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});

const yaml = inSequence('w', [
  { id: 'a', uses: 'builtin.mock', config: { response: 1 } },
  { id: 'g', uses: 'builtin.approval' },
  { id: 'h', uses: 'builtin.approval' },
]);

async function world(options: Partial<EngineOptions> = { policy: POLICY }) {
  const engine = createEngine({ shutdownGraceMs: 0, sameInstantMs: 0, ...options });
  await engine.open();
  opened.push(engine);
  const acting = (owner: string): ActingEngine =>
    engine.as(principalOf(owner, { namespace: 'acme', roles: ['all'] }), { namespace: 'acme', via: 'http' });
  await engine.workflows.register({ namespace: 'acme', yaml });
  return { engine, acting };
}

/** A run that ann started and decided, and bob cancelled, as its export. */
async function exported(): Promise<{
  readonly text: string;
  readonly address: { workflowId: string; runId: string };
}> {
  const { acting } = await world();
  const ann = acting('ann');
  const { runId } = await ann.runs.start({ workflowId: 'w', sync: true });
  const address = { workflowId: 'w', runId };
  await ann.gates.respond({ ...address, approved: true, responder: 'ann' });
  await acting('bob').runs.cancel(address);
  let text = '';
  for await (const line of ann.runs.export(address)) text += line;
  return { text, address };
}

const authors = (events: readonly PublicEvent[]) =>
  events.flatMap(({ type, data }) =>
    typeof data['by'] === 'object' && data['by'] !== null
      ? [[type, data['by'] as Record<string, unknown>] as const]
      : [],
  );

describe('those who stand in the log of a run that was imported', () => {
  it('are claimed wherever they are shown, but for whoever imported it', async () => {
    const { text, address } = await exported();
    const { acting } = await world();
    const eve = acting('eve');
    const seen: PublicEvent[] = [];
    const all = eve.runs.streamAll({ after: await eve.runs.latestEvent() });
    const following = (async () => {
      for await (const { event } of all) {
        seen.push(event);
        if (event.type === 'run.cancelled') return;
      }
    })();
    await eve.runs.import({ ndjson: Buffer.from(text) });
    await following;

    const { items } = await eve.runs.events(address);
    const shown = authors(items);
    expect(shown.map(([type]) => type)).toEqual(['run.started', 'gate.decided', 'run.cancelled']);
    expect(shown.map(([, { id, auth, claimed }]) => [id, auth, claimed])).toEqual([
      ['key-of-ann', 'key', true],
      ['key-of-ann', 'key', true],
      ['key-of-bob', 'key', true],
    ]);
    expect(authors(seen)).toEqual(shown);
    expect(authors((await eve.runs.events({ ...address, tail: 50 })).items)).toEqual(shown);
    const streamed: PublicEvent[] = [];
    for await (const event of eve.runs.stream(address)) streamed.push(event);
    expect(authors(streamed)).toEqual(shown);
    const [first] = items;
    expect(authors([(await eve.runs.event({ ...address, seq: first!.seq }))!])).toEqual([shown[0]]);

    const log = await eve.runs.events({ ...address, view: 'log' });
    expect(authors(log.items).map(([type, { id, claimed }]) => [type, id, claimed])).toEqual([
      ['run-started', 'key-of-ann', true],
      ['gate-decided', 'key-of-ann', true],
      ['run-cancelled', 'key-of-bob', true],
      ['run-imported', 'key-of-eve', undefined],
    ]);
    const whole = await eve.runs.full(address);
    const named = whole.result.messages.filter((message) => 'by' in message || 'responder' in message);
    expect(named.length).toBeGreaterThan(1);
    for (const message of named) expect(message).toHaveProperty('claimed', true);
    const page = await eve.runs.messages({ ...address, afterSeq: 0, limit: 100 });
    expect(page.messages.filter((message) => 'claimed' in message)).toEqual(named);
  });

  it('stand in its export as they were sent, and so in the import of that', async () => {
    const { text, address } = await exported();
    const { acting } = await world();
    await acting('eve').runs.import({ ndjson: Buffer.from(text) });
    let again = '';
    for await (const line of acting('eve').runs.export(address)) again += line;
    const events = (whole: string) => whole.split('\n').slice(0, -2);
    expect(events(again).slice(0, -1)).toEqual(events(text));
    expect(again).not.toContain('claimed');
    const third = await world();
    await third.acting('dan').runs.import({ ndjson: Buffer.from(again) });
    const log = await third.acting('dan').runs.events({ ...address, view: 'log' });
    expect(authors(log.items).map(([, { id, claimed }]) => [id, claimed])).toEqual([
      ['key-of-ann', true],
      ['key-of-ann', true],
      ['key-of-bob', true],
      ['key-of-eve', true],
      ['key-of-dan', undefined],
    ]);
  });

  it('are not those of a fork of it, which somebody began here', async () => {
    const { text, address } = await exported();
    const { acting } = await world();
    const eve = acting('eve');
    await eve.runs.import({ ndjson: Buffer.from(text) });
    const fork = await eve.runs.fork({ ...address, sync: true });
    const { items } = await eve.runs.events({ workflowId: 'w', runId: fork.runId });
    const shown = authors(items);
    expect(shown.length).toBeGreaterThan(0);
    for (const [, by] of shown) expect([by['id'], 'claimed' in by]).toEqual(['key-of-eve', false]);
    expect(JSON.stringify(items)).not.toContain('key-of-ann');
    // One that is itself imported is as every import.
    let forked = '';
    for await (const line of eve.runs.export({ workflowId: 'w', runId: fork.runId })) forked += line;
    const there = await world();
    await there.acting('dan').runs.import({ ndjson: Buffer.from(text) });
    await there.acting('dan').runs.import({ ndjson: Buffer.from(forked) });
    const imported = await there.acting('dan').runs.events({ workflowId: 'w', runId: fork.runId });
    for (const [, by] of authors(imported.items))
      expect(by).toMatchObject({ id: 'key-of-eve', claimed: true });
  });

  it('are shown as ever where nobody is authenticated', async () => {
    const { text, address } = await exported();
    const { engine } = await world({});
    await engine.runs.import({ namespace: 'acme', ndjson: Buffer.from(text) });
    const { items } = await engine.runs.events({ ...address, namespace: 'acme' });
    expect(authors(items)).toHaveLength(3);
    expect(JSON.stringify(items)).not.toContain('claimed');
  });
});
