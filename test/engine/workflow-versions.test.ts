import { randomBytes } from 'node:crypto';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import { openEngine } from '../support/engine.js';
import { yamlOf } from '../support/registrars.js';

const SECRET = 'hunter2-hunter2';
const bound = (path: string, headers: Readonly<Record<string, string>> = {}) => ({
  'acme.x': {
    type: 'http',
    endpoint: `https://ann:${SECRET}@units.test:8443/${path}?key=${SECRET}`,
    headers,
  },
});
const calling = (n: number) =>
  yamlOf('w', { units: [{ id: 'a', uses: 'acme.x', with: { n } }] }, { description: `Version ${n}.` });

async function withThree(options: Parameters<typeof openEngine>[1] = {}) {
  const opened = await openEngine({ work: () => 1 }, options);
  const { engine, clock } = opened;
  const hashes: string[] = [];
  for (const n of [1, 2, 3]) {
    await engine.workflows.register({ yaml: calling(n), bindings: bound(`v${n}`, { 'X-Key': SECRET }) });
    hashes.push((await engine.workflows.list())[0]!.definitionHash);
    await clock.advance(1_000);
  }
  return { ...opened, hashes };
}

describe('a version of a workflow', () => {
  it('is the document as it was registered and what it says, with nothing of its bindings that may be secret', async () => {
    const { engine } = await openEngine({ work: () => 1 });
    const input = { type: 'object', properties: { n: { type: 'number' } } };
    const yaml = yamlOf('w', { input, units: [{ id: 'a', uses: 'acme.x' }] }, { labels: { team: 'a' } });
    await engine.workflows.register({
      yaml,
      bindings: bound('v', { 'X-Key': SECRET, Accept: 'text/plain' }),
    });
    const [summary] = await engine.workflows.list();
    const details = await engine.workflows.read({ workflowId: 'w' });
    expect(details).toEqual({
      ...summary,
      current: true,
      yaml,
      inputSchema: input,
      bindings: [{ uses: 'acme.x', origin: 'https://units.test:8443', headers: ['X-Key', 'Accept'] }],
    });
    expect(JSON.stringify(details)).not.toContain(SECRET);
    for (const part of [details, details!.inputSchema!['properties'], details!.bindings[0], details!.labels])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it('is found by its hash, current or not; its units are reached as the newest registration says', async () => {
    const { engine, hashes } = await withThree();
    await engine.workflows.register({
      yaml: calling(3),
      bindings: { 'acme.x': { type: 'http', endpoint: 'http://moved.test/' } },
    });
    const [first, , third] = hashes;
    expect(await engine.workflows.read({ workflowId: 'w', hash: first })).toMatchObject({
      definitionHash: first,
      description: 'Version 1.',
      current: false,
      yaml: calling(1),
      bindings: [{ uses: 'acme.x', origin: 'http://moved.test', headers: [] }],
    });
    expect(await engine.workflows.read({ workflowId: 'w', hash: third })).toMatchObject({ current: true });
  });

  it('is null for what is not there, or is of another workflow or namespace', async () => {
    const { engine, hashes } = await withThree();
    await engine.workflows.register({ yaml: yamlOf('v') });
    const [hash] = hashes;
    for (const request of [
      { workflowId: 'nothing' },
      { workflowId: 'w', hash: 'x' },
      { workflowId: 'v', hash },
      { workflowId: 'w', namespace: 'acme' },
      { workflowId: 'w', hash, namespace: 'acme' },
    ])
      expect(await engine.workflows.read(request)).toBeNull();
  });

  it('can be read and compared where the store has its text sealed, and contains none of it', async () => {
    const store = new InMemoryRunStore();
    const { engine, hashes } = await withThree({ store, encryptionKey: randomBytes(32) });
    const [from, to] = [hashes[0]!, hashes[1]!];
    const stored = await store.readDefinition({ namespace: 'default', hash: from });
    expect(stored!.yaml).not.toContain('acme.x');
    expect(await engine.workflows.read({ workflowId: 'w', hash: from })).toMatchObject({ yaml: calling(1) });
    expect(await engine.workflows.diff({ workflowId: 'w', from, to })).toMatchObject({
      units: { changed: ['a'] },
    });
  });

  it('of a workflow that was registered before a restart is kept, and nothing is current', async () => {
    const store = new InMemoryRunStore();
    const { hashes, engine: before } = await withThree({ store });
    await before.close();
    const again = new InMemoryRunStore();
    Object.assign(again, {
      definitions: (store as unknown as { readonly definitions: unknown }).definitions,
    });
    const { engine } = await openEngine({}, { store: again });
    expect(await engine.workflows.read({ workflowId: 'w' })).toBeNull();
    expect(
      (await engine.workflows.versions({ workflowId: 'w' })).items.map(({ current }) => current),
    ).toEqual([false, false, false]);
    expect(await engine.workflows.read({ workflowId: 'w', hash: hashes[2] })).toMatchObject({
      current: false,
    });
  });
});

describe('the versions of a workflow', () => {
  it('come newest first, and say which one is current', async () => {
    const { engine, hashes } = await withThree();
    const { items, next } = await engine.workflows.versions({ workflowId: 'w' });
    expect(items.map(({ definitionHash }) => definitionHash)).toEqual(hashes.toReversed());
    expect(items.map(({ current }) => current)).toEqual([true, false, false]);
    expect(items[0]!.registeredAt - items[2]!.registeredAt).toBe(2_000);
    expect(next).toBeNull();
  });

  it('come in pages that follow one another, and that are of one workflow', async () => {
    const { engine, hashes } = await withThree();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await engine.workflows.versions({ workflowId: 'w', limit: 1, cursor });
      seen.push(...page.items.map(({ definitionHash }) => definitionHash));
      if (cursor === undefined) {
        await engine.workflows.register({ yaml: yamlOf('v') });
        await expect(
          engine.workflows.versions({ workflowId: 'v', cursor: page.next ?? 'x' }),
        ).rejects.toMatchObject({ code: 'invalid-request' });
      }
      cursor = page.next ?? undefined;
    } while (cursor !== undefined && seen.length < 9);
    expect(seen).toEqual(hashes.toReversed());
  });

  it('are none for an unknown workflow, and an invalid limit is refused', async () => {
    const { engine } = await withThree();
    await expect(engine.workflows.versions({ workflowId: 'v' })).rejects.toMatchObject({
      code: 'unknown-workflow',
    });
    for (const limit of [0, 201, 1.5])
      await expect(engine.workflows.versions({ workflowId: 'w', limit })).rejects.toMatchObject({
        code: 'invalid-request',
        message: 'limit must be a whole number from 1 to 200',
      });
  });
});

describe('the difference of two versions', () => {
  it('is that of their documents, and which units it concerns', async () => {
    const { engine, hashes } = await withThree();
    const [from, to] = [hashes[0]!, hashes[1]!];
    const diff = await engine.workflows.diff({ workflowId: 'w', from, to });
    expect(diff!.units).toEqual({ added: [], removed: [], changed: ['a'] });
    expect(diff!.text.split('\n').slice(0, 2)).toEqual([`--- ${from}`, `+++ ${to}`]);
    expect(await engine.workflows.diff({ workflowId: 'w', from, to: from })).toEqual({
      text: '',
      units: { added: [], removed: [], changed: [] },
    });
  });

  it('is null where one of them is not kept, or is of another workflow', async () => {
    const { engine, hashes } = await withThree();
    await engine.workflows.register({ yaml: yamlOf('v') });
    const hash = hashes[0]!;
    const other = (await engine.workflows.read({ workflowId: 'v' }))!.definitionHash;
    for (const [from, to] of [
      [hash, 'x'],
      ['x', hash],
      [hash, other],
      [other, hash],
    ] as const)
      expect(await engine.workflows.diff({ workflowId: 'w', from, to })).toBeNull();
  });
});
