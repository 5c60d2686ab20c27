import { auditAct } from '../../src/engine/ports/audit/audit-act.js';
import { auditOf } from '../../src/engine/ports/audit/audit-of.js';
import { accessOf } from '../../src/engine/ports/access/access-of.js';
import type { StoredKey } from '../../src/engine/ports/access/access-store.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';
import { ANY_RUN } from '../../src/engine/ports/store/run-filter.js';
import { put, sampleKey } from '../../src/engine/testing/contract/access-store/support/sample-key.js';
import {
  NOON,
  endedRow,
  sampleAppend,
  sampleDefinition,
  sampleRow,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { escaped } from '../../src/storage/postgres/database/escaped.js';
import { databasesOfOneSchema, type StartedDatabase } from './support/database.js';

/** What PostgreSQL's `text` refuses, what looks like the way in which that is written, and what SQL and patterns give a meaning. */
const HOSTILE = {
  'a NUL': 'a\0b',
  'only a NUL': '\0',
  'the first half of a pair': 'a\ud83d',
  'the second half of a pair': '\ude00b',
  'halves in the wrong order': '\ude00\ud83d',
  'a pair': '😀',
  'the sign of an escape': '\u241b',
  'what an escaped NUL looks like': '\u241b0000',
  'an escape of JSON': '\\u0000',
  'a statement': `'; DROP TABLE runs; --`,
  'a quoted name': '"@."."x"',
  'a placeholder': '$1 ${x} $$ @.runs',
  'characters of patterns': '%_\\%*?',
  'line breaks and blanks': ' \r\n\t\u2028\u0085 ',
  'an array': '{"a",NULL}',
  'what is no character': '\uffff\ufffe',
  'marks that combine': 'e\u0301\u200d\u202e',
  nothing: '',
} as const;
const TEXTS = Object.entries(HOSTILE);
const ALL = TEXTS.map(([, text]) => text);

/** Columns that hold what callers and authors write; each must hold all of the above. */
const OF_OTHERS = [
  'access_keys.made_by',
  'access_keys.name',
  'access_keys.owner',
  'audit.namespace',
  'audit.run_id',
  'audit.target',
  'audit.workflow_id',
  'definitions.namespace',
  'definitions.plan',
  'definitions.workflow_id',
  'definitions.yaml',
  'decided_gates.namespace',
  'decided_gates.unit_id',
  'decided_gates.workflow_id',
  'idempotency.key',
  'idempotency.scope',
  'memory_entries.content',
  'memory_entries.id',
  'memory_entries.namespace',
  'memory_entries.run_id',
  'memory_entries.workflow_id',
  'memory_namespaces.namespace',
  'open_gates.namespace',
  'open_gates.unit_id',
  'open_gates.workflow_id',
  'owner_revocations.owner',
  'people.owner',
  'registrations.namespace',
  'registrations.workflow_id',
  'run_labels.name',
  'run_labels.namespace',
  'run_labels.value',
  'runs.namespace',
  'runs.workflow_id',
  'tombstones.namespace',
  'tombstones.workflow_id',
];
/** Columns with JSON, which writes both as an escape of its own. */
const OF_JSON = [
  'access_keys.grants',
  'access_keys.groups',
  'access_keys.made_by_token',
  'audit.facts',
  'definitions.bindings',
  'log.events',
  'memory_entries.metadata',
  'states.state',
];
/** Columns that hold words, numbers, names and hashes of ours alone. */
const OURS =
  /^(store|releases)\.|\.(status|origin|definition_hash|hash|fingerprint|opening|doing|replica|compensation)$|^cursors\.name$|^access_keys\.(id|secret_hash|former_hash|made_by_key)$|^audit\.(action|auth|key_id|via)$/;

const startedDatabase = databasesOfOneSchema();
let started: StartedDatabase;
let store: RunStore;

beforeEach(async () => {
  started = await startedDatabase();
  store = started.store;
  await store.open();
});
afterEach(() => started.dispose());

/** Every text column of a table that is no partition, as `table.column`. */
async function textColumns(): Promise<readonly string[]> {
  const rows = await started.sql(
    `SELECT c.relname || '.' || a.attname AS name
     FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
     WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid = 'text'::regtype`,
    [started.schema],
  );
  return rows.map(({ name }) => String(name));
}

/** Writes the text wherever somebody else's can come to. `index`: which runs are its. */
async function writeEverywhere(text: string, index: number): Promise<void> {
  const [live, ended] = [sampleRunId(2 * index), sampleRunId(2 * index + 1)];
  const about = { namespace: text, workflowId: text };
  const gate = { gateId: 2, unitId: text, openedAt: NOON };
  const definition = sampleDefinition({
    ...about,
    yaml: `yaml of ${text}`,
    plan: `plan of ${text}`,
    bindings: { [text]: { value: text } },
  });
  await store.register({ definition, opening: 'an-opening' });
  await store.append(
    sampleAppend(live, {
      row: sampleRow(live, about),
      events: [{ v: 1, seq: 1, at: NOON, type: 'state-written', [`key ${text}`]: text } as never],
      labels: { [`name ${text}`]: `value ${text}` },
      openGates: [gate],
      decidedGates: [{ ...gate, gateId: 1, decidedAt: NOON + 1, decidedSeq: 1 }],
      idempotency: [{ scope: `scope ${text}`, key: `key ${text}`, fingerprint: 'f', runId: live }],
      storedState: { seq: 1, stateVersion: 1, state: { [text]: text } },
    }),
  );
  await store.append(sampleAppend(ended, { row: endedRow(ended, NOON, about) }));
  await put(accessOf(store), keyOf(text, index), { mostInAll: 99 });
  await accessOf(store).revokeOwner({ owner: text, now: NOON, keptSince: NOON });
  const by = { id: `key${index}`, owner: text, via: 'http', auth: 'key' } as const;
  const done = { ...about, runId: text, subject: text, target: text, facts: { [text]: text } };
  const act = auditAct({ at: NOON, action: 'run.export', by, ...done });
  await auditOf(store).record({ acts: [act] });
}

function keyOf(text: string, index: number): StoredKey {
  return sampleKey(`key${index}`, {
    owner: text,
    name: text,
    madeBy: text,
    madeByToken: { owner: text, groups: [text] },
    groups: [text],
    grants: [{ namespace: text, roles: [text], workflows: [text] }],
  });
}

it('knows of every text column who writes it', async () => {
  const columns = (await textColumns()).filter((name) => !OURS.test(name));
  expect(columns.toSorted()).toEqual([...OF_OTHERS, ...OF_JSON].toSorted());
});

describe('every column that others write', () => {
  it('has had each text as it is written here', async () => {
    for (const [index, text] of ALL.entries()) await writeEverywhere(text, index);
    await store.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 100 });
    const { memory, store: another } = started.replica();
    const entries = ALL.map((text) => ({
      id: `id ${text}`,
      content: `words ${text}`,
      metadata: { namespace: text, runId: `run ${text}`, workflowId: text },
    }));
    await memory.put({ entries });
    await memory.close();
    await another.close();
    // Each holds what the test wrote, by the sign under which a NUL is stored: a column that was forgotten holds none.
    for (const name of OF_OTHERS) {
      const [table = '', column = ''] = name.split('.');
      const found = await started.sql(
        `SELECT count(*) AS count FROM @.${table} WHERE strpos(${column}, $1) > 0`,
        [escaped('\0')],
      );
      expect([name, Number(found[0]?.['count']) > 0]).toEqual([name, true]);
    }
  });
});

describe.each(TEXTS)('%s', (_name, text) => {
  const live = sampleRunId(0);
  const ended = sampleRunId(1);

  beforeEach(() => writeEverywhere(text, 0));

  it('comes back of a run, its events, its state, labels, gates and keys', async () => {
    const loaded = await store.load({ runId: live, atSeq: null });
    expect(loaded?.row).toMatchObject({ namespace: text, workflowId: text });
    expect(loaded?.storedState?.state).toEqual({ [text]: text });
    expect(await store.readEvents({ runId: live, afterSeq: 0, limit: 9 })).toMatchObject([
      { [`key ${text}`]: text },
    ]);
    expect(await store.readLabels({ runId: live })).toEqual({ [`name ${text}`]: `value ${text}` });
    expect(await store.listOpenGates({ runId: live })).toEqual([{ gateId: 2, unitId: text, openedAt: NOON }]);
    const key = { scope: `scope ${text}`, key: `key ${text}` };
    expect(await store.readIdempotency(key)).toEqual({ ...key, fingerprint: 'f', runId: live });
  });

  it('comes back of the audit, and finds it', async () => {
    const filter = { namespaces: [text], owner: text, action: null, runId: text, after: null, before: null };
    expect(await auditOf(store).list({ ...filter, cursor: null, limit: 9 })).toMatchObject([
      {
        // No namespace has an empty name: it stands for none.
        namespace: text === '' ? null : text,
        workflowId: text,
        runId: text,
        subject: text,
        target: text,
        facts: { [text]: text },
      },
    ]);
  });

  it('is found in lists, by each filter that names it', async () => {
    const filters = [
      ANY_RUN,
      { ...ANY_RUN, workflowId: text },
      { ...ANY_RUN, workflows: [text] },
      { ...ANY_RUN, workflows: ['nobody', text], gateUnit: text },
      { ...ANY_RUN, gateUnit: text },
      { ...ANY_RUN, labels: [{ name: `name ${text}`, value: `value ${text}` }] },
    ];
    for (const filter of filters) {
      const { runs } = await store.findRuns({ namespace: text, filter, before: null, limit: 9 });
      const [found] = runs.filter(({ row }) => row.runId === live);
      expect(found).toMatchObject({
        labels: { [`name ${text}`]: `value ${text}` },
        openGates: [{ unitId: text }],
        row: { namespace: text, workflowId: text },
      });
    }
    expect(await store.readListed({ runId: live })).toMatchObject({ row: { namespace: text } });
    for (const status of ['open', 'decided'] as const) {
      for (const workflowId of [null, text]) {
        const { gates } = await store.listGates({
          namespace: text,
          status,
          workflowId,
          workflows: null,
          before: null,
          limit: 9,
        });
        expect(gates).toMatchObject([{ unitId: text, workflowId: text, runId: live }]);
      }
    }
    const shown = { namespace: text, workflowId: null, workflows: [text] };
    expect(await store.countOpenGates({ ...shown, workflowId: text, workflows: null })).toBe(1);
    expect(await store.countOpenGates(shown)).toBe(1);
    const { gates } = await store.listGates({ ...shown, status: 'open', before: null, limit: 9 });
    expect(gates).toMatchObject([{ runId: live }]);
  });

  it('comes back of a definition and its registration', async () => {
    const definition = await store.readDefinition({ namespace: text, hash: 'hash-1' });
    expect(definition).toEqual(
      sampleDefinition({
        namespace: text,
        workflowId: text,
        yaml: `yaml of ${text}`,
        plan: `plan of ${text}`,
        bindings: { [text]: { value: text } },
      }),
    );
    const about = { namespace: text, workflowId: text };
    expect(await store.readRegistration({ ...about, opening: null })).toMatchObject(about);
    expect(await store.listRegistrations({ namespace: text, opening: null })).toMatchObject([about]);
    expect(await store.listDefinitions({ ...about, before: null, limit: 9 })).toHaveLength(1);
  });

  it('comes back of a key and of who was revoked, and finds no other owner’s', async () => {
    const access = accessOf(store);
    const key = { ...keyOf(text, 0), revokedAt: NOON };
    expect(await access.findKey({ id: 'key0' })).toEqual(key);
    expect(await access.findKey({ id: text })).toBeNull();
    const page = { before: null, limit: 9 };
    expect(await access.listKeys({ owner: text, ...page })).toEqual([key]);
    expect(await access.listKeys({ owner: `${text} of another`, ...page })).toEqual([]);
    expect(await access.ownerRevokedAt({ owner: text })).toBe(NOON);
    expect(await access.ownerRevokedAt({ owner: `${text} of another` })).toBeNull();
  });

  it('is in the log of the store, also when the run is purged', async () => {
    await store.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 9 });
    const about = { namespace: text, workflowId: text };
    expect(await store.readAll({ afterPosition: 0, limit: 9 })).toMatchObject([
      { kind: 'appended', runId: live, ...about },
      { kind: 'purged', runId: ended, ...about },
    ]);
  });

  it('is remembered, found in its namespace alone, and forgotten', async () => {
    const { memory, store: another } = started.replica();
    const entry = {
      id: `id ${text}`,
      content: `apples ${text}`,
      metadata: { namespace: text, runId: `run ${text}`, workflowId: text },
    };
    await memory.put({ entries: [entry] });
    const search = (namespace: string) => memory.search({ namespace, query: `apples ${text}`, topK: 9 });
    expect(await search(text)).toMatchObject([entry]);
    expect(await search(`${text} of another`)).toEqual([]);
    await memory.removeRuns({ runIds: [`run ${text}`] });
    expect(await search(text)).toEqual([]);
    await memory.close();
    await another.close();
  });
});

it('keeps keys apart that differ by such a character alone', async () => {
  for (const [index, text] of ALL.entries()) {
    const runId = sampleRunId(index);
    const key = { scope: 's', key: `k${text}`, fingerprint: 'f', runId };
    expect([text, await store.append(sampleAppend(runId, { idempotency: [key] }))]).toEqual([
      text,
      'appended',
    ]);
  }
  const again = sampleRunId(ALL.length);
  const key = { scope: 's', key: 'ka\0b', fingerprint: 'f', runId: again };
  expect(await store.append(sampleAppend(again, { idempotency: [key] }))).toBe('conflict');
});

it('answers ids of runs that no run can have without asking, and refuses to store one', async () => {
  for (const runId of [...ALL, 'an-old-run', sampleRunId(1).toUpperCase(), `${sampleRunId(1)}0`]) {
    expect(await store.readRow({ runId })).toBeNull();
    expect(await store.load({ runId, atSeq: null })).toBeNull();
    expect(await store.readEvents({ runId, afterSeq: 0, limit: 9 })).toEqual([]);
    expect(await store.readLabels({ runId })).toEqual({});
    expect(await store.readListed({ runId })).toBeNull();
    expect(store.acceptsRunId?.(runId)).toBe(false);
    const append = (async () => store.append(sampleAppend(runId, { row: sampleRow(runId) })))();
    await expect(append).rejects.toMatchObject({ code: 'store', permanent: true });
  }
  expect(store.acceptsRunId?.(sampleRunId(1))).toBe(true);
});
