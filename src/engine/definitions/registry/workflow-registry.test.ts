import { DefinitionsInMemory } from '../../../../test/support/definitions-in-memory.js';
import { registrarOf, yamlOf, type RegistrarOptions } from '../../../../test/support/registrars.js';
import type { Clock } from '../../ports/clock.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { LANGUAGE } from '../../language/language.js';
import { WorkflowRegistry, type RegistryOptions } from './workflow-registry.js';

interface Process {
  readonly registry: WorkflowRegistry;
  readonly said: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
  register(yaml: string, more?: { bindings?: unknown; at?: number; namespace?: string }): Promise<string>;
}

const LIMITS = { maxWorkflows: 10_000, maxDefinitions: 10_000 };

/** A process that opens the store; by default alone, and with a registry in memory. */
async function open(
  store: DefinitionsInMemory,
  options: Partial<Pick<RegistryOptions, 'mode' | 'isShared' | 'limits' | 'namesWorkflows'>> &
    RegistrarOptions & { readonly opening?: string; readonly clock?: Clock } = {},
): Promise<Process> {
  const { mode = 'memory', isShared = false, opening = 'first', limits = LIMITS } = options;
  const { clock = new ManualClock() } = options;
  const said: Process['said'] = [];
  const logger = {
    error(message: string, fields = {}) {
      said.push({ message, fields });
    },
  };
  const registrar = registrarOf(options);
  const port = store.port;
  const registry = new WorkflowRegistry({
    store: port,
    registrar,
    logger,
    clock,
    mode,
    isShared,
    limits,
    namesWorkflows: options.namesWorkflows ?? true,
  });
  await registry.open({ opening });
  return {
    registry,
    said,
    register: async (yaml, { bindings, at = 1_000, namespace = 'default' } = {}) => {
      const prepared = await registrar.prepare({ yaml, bindings, namespace, registeredAt: at });
      await registry.register(prepared.definition, prepared.stored);
      return prepared.definition.plan.hash;
    },
  };
}

const v1 = yamlOf('w');
const v2 = yamlOf('w', { flow: { type: 'sequential', order: ['a'] } });
const bindingsTo = (token: string) => ({
  remote: { type: 'http', endpoint: 'http://127.0.0.1:9/x', headers: { authorization: token } },
});
const remote = yamlOf('r', { units: [{ id: 'a', uses: 'remote' }] });

const hashOf = async ({ registry }: Process, workflowId = 'w', namespace = 'default') =>
  (await registry.current(namespace, workflowId))?.plan.hash ?? null;
const idsOf = async ({ registry }: Process, namespace = 'default') =>
  (await registry.list(namespace)).map(({ workflowId }) => workflowId);
const tokenOf = (process: Process, definition: Parameters<WorkflowRegistry['bindings']>[0]) =>
  process.registry.bindings(definition, 'remote')?.headers['authorization'];

describe('a registry of one process', () => {
  it('has what was registered last, in the order of the first registrations', async () => {
    const one = await open(new DefinitionsInMemory());
    await one.register(v1);
    await one.register(yamlOf('x'));
    const hash = await one.register(v2);
    expect(await hashOf(one)).toBe(hash);
    expect(await idsOf(one)).toEqual(['w', 'x']);
    expect(await hashOf(one, 'nobody')).toBeNull();
  });

  it('keeps namespaces apart', async () => {
    const one = await open(new DefinitionsInMemory());
    const ours = await one.register(v1);
    const theirs = await one.register(v2, { namespace: 'acme' });
    await one.register(yamlOf('x'), { namespace: 'acme' });
    expect([await hashOf(one), await hashOf(one, 'w', 'acme')]).toEqual([ours, theirs]);
    expect([await idsOf(one), await idsOf(one, 'acme'), await idsOf(one, 'none')]).toEqual([
      ['w'],
      ['w', 'x'],
      [],
    ]);
    await expect(one.registry.pinnedTo({ namespace: 'acme', hash: ours, workflowId: 'w' })).rejects.toThrow(
      `The definition ${ours} of the workflow w is not stored`,
    );
  });

  it('resolves no registration before the store has it', async () => {
    const store = new DefinitionsInMemory();
    const one = await open(store);
    store.isBroken = true;
    await expect(one.register(v1)).rejects.toThrow('The disk is full');
    expect(await hashOf(one)).toBeNull();
  });

  it('asks the store nothing at a start, and has it check nothing', async () => {
    const store = new DefinitionsInMemory();
    const one = await open(store);
    await one.register(v1);
    store.calls.length = 0;
    const current = await one.registry.current('default', 'w');
    expect(one.registry.startedFrom(current!)).toBeNull();
    expect(await idsOf(one)).toEqual(['w']);
    expect(store.calls).toEqual([]);
  });

  it('cannot register before it was opened', async () => {
    const store = new DefinitionsInMemory();
    const registrar = registrarOf();
    const logger = { error: () => undefined };
    const registry = new WorkflowRegistry({
      store: store.port,
      registrar,
      logger,
      clock: new ManualClock(),
      mode: 'memory',
      isShared: false,
      limits: LIMITS,
      namesWorkflows: true,
    });
    const { definition, stored } = await registrar.prepare({
      yaml: v1,
      bindings: null,
      namespace: 'default',
      registeredAt: 1,
    });
    await expect(registry.register(definition, stored)).rejects.toThrow('open the engine first');
  });
});

describe('a workflow that is removed', () => {
  it('is not started any more, and runs that began with it keep it', async () => {
    const store = new DefinitionsInMemory();
    const one = await open(store);
    const hash = await one.register(v1);
    await one.register(yamlOf('x'));
    const told: string[] = [];
    one.registry.observe(() => told.push('changed'));
    expect(await one.registry.unregister('default', 'w')).toBe(true);
    expect(told).toEqual(['changed']);
    expect(await idsOf(one)).toEqual(['x']);
    expect(await one.registry.forStart('default', 'w')).toBeNull();
    expect(await one.registry.forChild('default', 'w')).toBeNull();
    const pinned = await one.registry.pinnedTo({ namespace: 'default', hash, workflowId: 'w' });
    expect(pinned.plan.hash).toBe(hash);
    expect(await one.registry.unregister('default', 'w')).toBe(false);
  });

  it('is another one in another namespace', async () => {
    const one = await open(new DefinitionsInMemory());
    await one.register(v1, { namespace: 'acme' });
    expect(await one.registry.unregister('default', 'w')).toBe(false);
    expect(await idsOf(one, 'acme')).toEqual(['w']);
  });

  it('has a start that is under way carry what it began from, so that the store refuses it', async () => {
    const store = new DefinitionsInMemory();
    const one = await open(store);
    await one.register(v1);
    const current = await one.registry.current('default', 'w');
    const removing = one.registry.unregister('default', 'w');
    expect(one.registry.startedFrom(current!)).toEqual({ hash: current!.plan.hash, opening: 'first' });
    await removing;
    expect(one.registry.startedFrom(current!)).not.toBeNull();
  });

  it('stays removed after a restart, and comes back with a registration', async () => {
    const store = new DefinitionsInMemory();
    const first = await open(store, { mode: 'durable' });
    await first.register(v1);
    await first.registry.unregister('default', 'w');
    const second = await open(store, { mode: 'durable', opening: 'second' });
    expect(await idsOf(second)).toEqual([]);
    await second.register(v1);
    expect(await idsOf(second)).toEqual(['w']);
  });

  it('is found by no other process on the store', async () => {
    const store = new DefinitionsInMemory();
    const clock = new ManualClock();
    const one = await open(store, { mode: 'durable', isShared: true, clock });
    const other = await open(store, { mode: 'durable', isShared: true, clock });
    await one.register(v1);
    expect(await hashOf(other)).not.toBeNull();
    expect(await other.registry.unregister('default', 'w')).toBe(true);
    await clock.advance(1_000);
    expect(await one.registry.forStart('default', 'w')).toBeNull();
    expect(await one.registry.unregister('default', 'w')).toBe(false);
  });
});

describe('a workflow that is unknown', () => {
  const detailOf = async ({ registry }: Process, workflowId: string, namespace = 'default') =>
    (await registry.unknown(namespace, workflowId)).detail;

  it('may be one with nearly that name, in its own namespace', async () => {
    const one = await open(new DefinitionsInMemory());
    for (const id of ['refund', 'refunds', 'invoice-approval']) await one.register(yamlOf(id));
    await one.register(yamlOf('refunded'), { namespace: 'acme' });
    expect(await detailOf(one, 'refnd')).toBe('Did you mean refund?');
    expect(await detailOf(one, 'Refund')).toBe('Did you mean refund or refunds?');
    expect(await detailOf(one, 'invoice-aproval')).toBe('Did you mean invoice-approval?');
    expect(await detailOf(one, 'refundd', 'acme')).toBe('Did you mean refunded?');
    expect(await detailOf(one, 'something-else')).toBeUndefined();
    expect((await one.registry.unknown('default', 'refnd')).message).toBe('Unknown workflow: refnd');
  });

  it('may be one that was registered before the restart', async () => {
    const store = new DefinitionsInMemory();
    await (await open(store)).register(v1);
    const second = await open(store, { opening: 'second' });
    expect(await detailOf(second, 'w')).toContain('set registry=durable');
    expect(await detailOf(second, 'else')).toBeUndefined();
  });

  it('is told no names that its callers may not see', async () => {
    const one = await open(new DefinitionsInMemory(), { namesWorkflows: false });
    await one.register(yamlOf('refund'));
    expect(await detailOf(one, 'refnd')).toBeUndefined();
  });
});

describe('after a restart', () => {
  it('a registry in memory is empty, and runs are given the definitions that they are pinned to', async () => {
    const store = new DefinitionsInMemory();
    const hash = await (await open(store)).register(v1);
    const second = await open(store, { opening: 'second' });
    expect(await idsOf(second)).toEqual([]);
    const definition = await second.registry.pinnedTo({ namespace: 'default', hash, workflowId: 'w' });
    expect(definition.plan.hash).toBe(hash);
  });

  it('a durable registry has all that was registered, in the same order, from the plans that were stored', async () => {
    const store = new DefinitionsInMemory();
    const first = await open(store, { mode: 'durable' });
    const hash = await first.register(v1);
    await first.register(yamlOf('x', {}, { description: 'An x.' }), { namespace: 'acme', at: 7 });
    await first.register(yamlOf('y'));
    const language = { ...LANGUAGE, revision: LANGUAGE.revision + 1 };
    const second = await open(store, { mode: 'durable', opening: 'second', language, units: [] });
    expect([await idsOf(second), await idsOf(second, 'acme')]).toEqual([['w', 'y'], ['x']]);
    expect(await hashOf(second)).toBe(hash);
    expect(await second.registry.current('acme', 'x')).toMatchObject({
      registeredAt: 7,
      description: 'An x.',
    });
    expect(second.said).toEqual([]);
  });

  it('a durable registry leaves out, loudly, what cannot be loaded any more', async () => {
    const store = new DefinitionsInMemory();
    const first = await open(store, { mode: 'durable', apiGroups: ['flowgate', 'acme'] });
    await first.register(yamlOf('other-group').replace('flowgate/v1', 'acme/v1'));
    const damaged = await first.register(yamlOf('damaged'));
    const lost = await first.register(yamlOf('lost'));
    await first.register(v1);
    const stored = store.definitions.get(`default/${damaged}`)!;
    store.definitions.set(`default/${damaged}`, { ...stored, plan: '{' });
    store.definitions.delete(`default/${lost}`);
    const second = await open(store, { mode: 'durable', opening: 'second' });
    expect(await idsOf(second)).toEqual(['w']);
    expect(second.said.map(({ message }) => message)).toEqual(
      ['other-group', 'damaged', 'lost'].map(
        (id) => `The workflow ${id} cannot be loaded any more and is left out: register it again`,
      ),
    );
    expect(second.said.map(({ fields }) => String(fields['error']))).toEqual([
      expect.stringContaining('set FLOWGATE_API_GROUP to take others') as string,
      expect.stringContaining('The stored plan is damaged') as string,
      `The definition ${lost} is not stored`,
    ]);
  });

  it('a durable registry does not open when the store fails', async () => {
    const store = new DefinitionsInMemory();
    await (await open(store, { mode: 'durable' })).register(v1);
    store.isBroken = true;
    await expect(open(store, { mode: 'durable' })).rejects.toThrow('The disk is full');
  });
});

describe('two processes on one store', () => {
  const shared = { isShared: true, mode: 'durable' } as const;

  it('start from what either registered last, and pass that on to the store', async () => {
    const store = new DefinitionsInMemory();
    const [ann, bob] = [await open(store, shared), await open(store, { ...shared, opening: 'second' })];
    await ann.register(v1);
    const hash = await bob.register(v2, { at: 2_000 });
    expect([await hashOf(ann), await hashOf(bob)]).toEqual([hash, hash]);
    const definition = (await ann.registry.refresh('default', 'w'))!;
    expect(ann.registry.startedFrom(definition)).toEqual({ hash, opening: null });
    expect(await idsOf(ann)).toEqual(['w']);
  });

  it('count only the registrations of their boot when the registry is in memory', async () => {
    const store = new DefinitionsInMemory();
    await (await open(store, { isShared: true, opening: 'before' })).register(yamlOf('old'));
    const [ann, bob] = [await open(store, { isShared: true }), await open(store, { isShared: true })];
    const hash = await bob.register(v1);
    expect(await idsOf(ann)).toEqual(['w']);
    expect(await hashOf(ann, 'old')).toBeNull();
    expect(ann.registry.startedFrom((await ann.registry.current('default', 'w'))!)).toEqual({
      hash,
      opening: 'first',
    });
  });

  it('notify their observers of what the other registered, once they have looked, and once', async () => {
    const store = new DefinitionsInMemory();
    const [ann, bob] = [await open(store, { isShared: true }), await open(store, { isShared: true })];
    let told = 0;
    ann.registry.observe(() => {
      told += 1;
    });
    await bob.register(v1);
    expect(told).toBe(0);
    await idsOf(ann);
    await hashOf(ann);
    expect(told).toBe(1);
    await bob.register(v2, { at: 2_000 });
    await hashOf(ann);
    expect(told).toBe(2);
    store.registrations.clear();
    expect([await hashOf(ann), await hashOf(ann), told]).toEqual([null, null, 3]);
  });

  it('notify their observers of what the other registered within seconds, for as long as there are any', async () => {
    const store = new DefinitionsInMemory();
    const clock = new ManualClock();
    const [ann, bob] = [await open(store, { ...shared, clock }), await open(store, shared)];
    let told = 0;
    const looked = () => store.calls.filter((name) => name === 'listRegistrations').length;
    const stop = ann.registry.observe(() => {
      told += 1;
    });
    const before = looked();
    await bob.register(v1);
    await clock.advance(4_999);
    expect([told, looked()]).toEqual([0, before]);
    await clock.advance(1);
    expect(told).toBe(1);
    await clock.advance(5_000);
    expect(told).toBe(1);
    store.registrations.clear();
    await clock.advance(5_000);
    expect(told).toBe(2);
    store.isBroken = true;
    await clock.advance(5_000);
    store.isBroken = false;
    stop();
    const after = looked();
    await clock.advance(60_000);
    expect([looked(), clock.scheduled]).toEqual([after, 0]);
    ann.registry.close();
    ann.registry.observe(() => undefined);
    expect(clock.scheduled).toBe(0);
  });

  it('ask the store once a second at most for what starts begin with, and again where that is refused', async () => {
    const store = new DefinitionsInMemory();
    const clock = new ManualClock();
    const [ann, bob] = [await open(store, { ...shared, clock }), await open(store, { ...shared, clock })];
    const first = await bob.register(v1);
    const start = async () => (await ann.registry.forStart('default', 'w'))?.plan.hash ?? null;
    const asked = () => store.calls.filter((name) => name === 'readRegistration').length;
    expect([await start(), await start(), await start()]).toEqual([first, first, first]);
    expect(asked()).toBe(1);
    const second = await bob.register(v2, { at: 2_000 });
    const definition = (await ann.registry.forStart('default', 'w'))!;
    expect(ann.registry.startedFrom(definition)).toEqual({ hash: first, opening: null });
    expect(await ann.registry.isReplaced(definition)).toBe(true);
    await ann.registry.refresh('default', 'w');
    expect(await start()).toBe(second);
    await bob.register(v1, { at: 3_000 });
    await clock.advance(1_000);
    expect(await start()).toBe(first);
    expect(await ann.registry.forStart('default', 'nobody')).toBeNull();
  });

  it('start from what is stored where what they know was replaced and removed', async () => {
    const store = new DefinitionsInMemory();
    const [ann, bob] = [await open(store, shared), await open(store, shared)];
    const removed = await bob.register(v1);
    await ann.registry.forStart('default', 'w');
    // What it knows of the definition has left memory.
    for (let index = 0; index < 1_001; index++) await ann.register(yamlOf(`other-${index}`));
    const hash = await bob.register(v2, { at: 2_000 });
    store.definitions.delete(`default/${removed}`);
    expect((await ann.registry.forStart('default', 'w'))?.plan.hash).toBe(hash);
  });

  it('describe what either registered last', async () => {
    const store = new DefinitionsInMemory();
    const [ann, bob] = [await open(store, shared), await open(store, shared)];
    await bob.register(yamlOf('w', { input: {} }, { annotations: { a: 1 } }));
    expect(await ann.registry.described('default', 'w')).toMatchObject({
      workflow: { registeredAt: 1_000 },
      definition: { input: {}, annotations: { a: 1 } },
    });
    await bob.register(v2, { at: 2_000 });
    expect(await ann.registry.described('default', 'w')).toMatchObject({
      workflow: { registeredAt: 2_000 },
      definition: { input: null, annotations: {} },
    });
  });

  it('read a definition once for many starts at the same time', async () => {
    const store = new DefinitionsInMemory();
    const [ann, bob] = [await open(store, shared), await open(store, shared)];
    await bob.register(v1);
    store.calls.length = 0;
    const found = await Promise.all(Array.from({ length: 20 }, () => ann.registry.current('default', 'w')));
    expect(new Set(found).size).toBe(1);
    expect(store.calls.filter((name) => name === 'readDefinition')).toHaveLength(1);
  });

  it('give a run of any age the headers that the other registered, of its own version or of a newer one', async () => {
    const store = new DefinitionsInMemory();
    const [ann, bob] = [await open(store, shared), await open(store, shared)];
    const hash = await ann.register(remote, { bindings: bindingsTo('first') });
    const run = { namespace: 'default', hash, workflowId: 'r' };
    const definition = await ann.registry.pinnedTo(run);
    expect(tokenOf(ann, definition)).toBe('first');
    await bob.register(remote, { bindings: bindingsTo('second'), at: 2_000 });
    expect(tokenOf(ann, await ann.registry.pinnedTo(run))).toBe('second');
    const newer = remote.replace('"sequential"', '"sequential","order":["a"]');
    await bob.register(newer, { bindings: bindingsTo('third'), at: 3_000 });
    expect(tokenOf(ann, await ann.registry.pinnedTo(run))).toBe('third');
    expect((await ann.registry.pinnedTo(run)).plan.hash).toBe(hash);
  });

  it('keep a run going, and log it once, when the other registered what cannot be read here', async () => {
    const store = new DefinitionsInMemory();
    const [ann, bob] = [await open(store, shared), await open(store, shared)];
    const hash = await ann.register(remote, { bindings: bindingsTo('first') });
    const newer = await bob.register(remote.replace('"a"', '"b"'), {
      bindings: bindingsTo('second'),
      at: 2_000,
    });
    const stored = store.definitions.get(`default/${newer}`)!;
    store.definitions.set(`default/${newer}`, {
      ...stored,
      plan: stored.plan!.replace('"revision":1', '"revision":1000'),
    });
    const run = { namespace: 'default', hash, workflowId: 'r' };
    for (let round = 0; round < 3; round++) {
      expect(tokenOf(ann, await ann.registry.pinnedTo(run))).toBe('first');
      expect(await idsOf(ann)).toEqual([]);
    }
    expect(ann.said).toHaveLength(1);
    await expect(ann.registry.current('default', 'r')).rejects.toThrow('start that version');
  });
});

describe('where a unit is reached', () => {
  it('is what is registered now, else what was registered with its own version', async () => {
    const one = await open(new DefinitionsInMemory());
    const hash = await one.register(remote, { bindings: bindingsTo('first') });
    const definition = await one.registry.pinnedTo({ namespace: 'default', hash, workflowId: 'r' });
    await one.register(remote.replace('"a"', '"b"'), { bindings: bindingsTo('second') });
    expect(tokenOf(one, definition)).toBe('second');
    await one.register(yamlOf('r'));
    expect(tokenOf(one, definition)).toBe('first');
    expect(one.registry.bindings(definition, 'nobody')).toBeUndefined();
  });

  it('is not taken from a workflow of that name in another namespace', async () => {
    const one = await open(new DefinitionsInMemory());
    const hash = await one.register(remote, { bindings: bindingsTo('ours') });
    await one.register(remote, { bindings: bindingsTo('theirs'), namespace: 'acme' });
    expect(tokenOf(one, await one.registry.pinnedTo({ namespace: 'default', hash, workflowId: 'r' }))).toBe(
      'ours',
    );
  });
});

describe('definitions that runs are pinned to', () => {
  const run = (hash: string) => ({ namespace: 'default', hash, workflowId: 'w' });

  it('are loaded once for many runs at the same time, and again when that load failed', async () => {
    const store = new DefinitionsInMemory();
    const hash = await (await open(store)).register(v1);
    const second = await open(store, { opening: 'second' });
    store.calls.length = 0;
    store.isBroken = true;
    await expect(second.registry.pinnedTo(run(hash))).rejects.toThrow('The disk is full');
    store.isBroken = false;
    const all = await Promise.all(Array.from({ length: 20 }, () => second.registry.pinnedTo(run(hash))));
    expect(new Set(all).size).toBe(1);
    expect(store.calls).toEqual(['readDefinition', 'readDefinition']);
  });

  it('stay in memory while they are used, a thousand of them', async () => {
    const store = new DefinitionsInMemory();
    const first = await open(store);
    const hashes: string[] = [];
    for (let index = 0; index < 1_001; index++) hashes.push(await first.register(yamlOf(`w${index}`)));
    const second = await open(store, { opening: 'second' });
    for (const hash of hashes.slice(0, 1_000)) await second.registry.pinnedTo(run(hash));
    await second.registry.pinnedTo(run(hashes[0]!));
    await second.registry.pinnedTo(run(hashes[1_000]!));
    store.calls.length = 0;
    await second.registry.pinnedTo(run(hashes[0]!));
    expect(store.calls).toEqual([]);
    await second.registry.pinnedTo(run(hashes[1]!));
    expect(store.calls).toEqual(['readDefinition']);
  });

  it('that were stored without their plan are compiled once, under the hash that they had', async () => {
    const store = new DefinitionsInMemory();
    const hash = 'f00d'.repeat(16);
    const old = {
      namespace: 'default',
      hash,
      workflowId: 'w',
      yaml: v1,
      bindings: {},
      plan: null,
      registeredAt: 1,
    };
    store.definitions.set(`default/${hash}`, old);
    const one = await open(store);
    expect((await one.registry.pinnedTo(run(hash))).plan.hash).toBe(hash);
    expect(store.definitions.get(`default/${hash}`)).toEqual({ ...old, plan: expect.any(String) as string });
    expect(store.calls).toEqual(['readDefinition', 'saveDefinition']);
  });
});

describe('a registry that is full', () => {
  const limits = { maxWorkflows: 2, maxDefinitions: 3 };
  const full = expect.objectContaining({ code: 'registry-full' });

  it('refuses another workflow with what to do, and takes a new version of one that it has', async () => {
    const one = await open(new DefinitionsInMemory(), { limits });
    await one.register(v1);
    await one.register(yamlOf('x'), { namespace: 'acme' });
    await expect(one.register(yamlOf('y'))).rejects.toThrow(full);
    await expect(one.register(yamlOf('y'))).rejects.toThrow('raise maxWorkflows');
    const hash = await one.register(v2);
    expect(await hashOf(one)).toBe(hash);
    expect(await idsOf(one)).toEqual(['w']);
  });

  it('counts those that are being registered at the same time', async () => {
    const one = await open(new DefinitionsInMemory(), { limits });
    const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => one.register(yamlOf(id))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await idsOf(one)).toHaveLength(2);
  });

  it('bounds the workflows of each namespace, as all processes have registered them', async () => {
    const store = new DefinitionsInMemory();
    const perNamespace = { ...LIMITS, maxWorkflowsPerNamespace: 2 };
    const shared = { limits: perNamespace, mode: 'durable', isShared: true } as const;
    const [one, other] = [await open(store, shared), await open(store, shared)];
    await one.register(yamlOf('a'), { namespace: 'acme' });
    await other.register(yamlOf('b'), { namespace: 'acme' });
    await expect(one.register(yamlOf('c'), { namespace: 'acme' })).rejects.toThrow(full);
    await expect(one.register(yamlOf('c'), { namespace: 'acme' })).rejects.toThrow(
      'raise maxWorkflowsPerNamespace',
    );
    // One that another process registered is no new one.
    await one.register(yamlOf('b', { flow: { type: 'sequential', order: ['a'] } }), { namespace: 'acme' });
    for (const id of ['a', 'b']) await one.register(yamlOf(id));
    await expect(other.register(yamlOf('c'))).rejects.toThrow('in the namespace default');
    await other.registry.unregister('acme', 'a');
    await one.register(yamlOf('c'), { namespace: 'acme' });
  });

  it('removes definitions that nothing names, and continues', async () => {
    const store = new DefinitionsInMemory();
    const one = await open(store, { limits });
    const versions = Array.from({ length: 10 }, (_, index) => yamlOf('w', {}, { description: `v${index}` }));
    for (const yaml of versions) await one.register(yaml);
    expect(store.definitions.size).toBeLessThanOrEqual(limits.maxDefinitions);
    expect(await hashOf(one)).toBe([...store.definitions.values()].at(-1)?.hash);
  });

  it('refuses another definition where each is still named, but not one that it has', async () => {
    const store = new DefinitionsInMemory();
    const one = await open(store, { limits });
    await one.register(v1);
    const stored = [...store.definitions.values()][0]!;
    store.removeUnusedDefinitions = async () => 0;
    for (const hash of ['b', 'c']) store.definitions.set(`default/${hash}`, { ...stored, hash });
    await expect(one.register(v2)).rejects.toThrow('raise maxDefinitions');
    await expect(one.register(v1)).resolves.toBe(stored.hash);
  });

  it('has no capacity for workflows that are huge together', async () => {
    const one = await open(new DefinitionsInMemory(), { limits });
    const units = Array.from({ length: 10_000 }, (_, index) => ({
      id: `${'long'.repeat(24)}${index}`,
      uses: 'work',
    }));
    await expect(one.register(yamlOf('w', { units }))).rejects.toThrow('too many units, labels and bindings');
    expect(await idsOf(one)).toEqual([]);
  });
});

describe('a start from a workflow that is being replaced', () => {
  it('has the store check what it starts from, from then on and until it is replaced', async () => {
    const store = new DefinitionsInMemory();
    const one = await open(store);
    const hash = await one.register(v1);
    const definition = (await one.registry.current('default', 'w'))!;
    expect(one.registry.startedFrom(definition)).toBeNull();
    const replacing = one.register(v2);
    await Promise.resolve().then(() => new Promise(setImmediate));
    await replacing;
    expect(one.registry.startedFrom(definition)).toEqual({ hash, opening: 'first' });
  });

  it('is given the definition from the store where memory has released it', async () => {
    const store = new DefinitionsInMemory();
    const one = await open(store);
    const hash = await one.register(v1);
    for (let index = 0; index < 1_001; index++) await one.register(yamlOf(`other-${index}`));
    store.calls.length = 0;
    expect(await hashOf(one)).toBe(hash);
    expect(store.calls).toEqual(['readDefinition']);
  });
});
