import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { decodeEvents } from '../../src/engine/core/log/event-codec.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { PUBLIC_EVENT_TYPES, type PublicEvent } from '../../src/engine/index.js';
import { atOnce } from '../../src/engine/core/steps.js';
import { shownOf, wholeOf } from '../../src/engine/runtime/events/shown-event.js';
import { EVENT_DATA, eventDocument } from '../../src/openapi/schemas/event-schemas.js';
import { historiesOf, recordedVersions } from '../support/golden/recording.js';

const published = JSON.parse(readFileSync('schemas/run-events.v1.schema.json', 'utf8')) as object;
const fits = new Ajv2020({ strict: false }).compile(published);
const owner = { runId: 'r', workflowId: 'w' };

const logs: readonly (readonly [string, readonly RunEvent[]])[] = recordedVersions().flatMap((version) =>
  historiesOf(version).map((history) => {
    const events = history.appends.flatMap((append) => decodeEvents(append.events, append.runId));
    return [`${version} ${history.name}`, events] as const;
  }),
);

/** The fields of `data` that its schema does not know. */
function unknownFields({ type, data }: PublicEvent): readonly string[] {
  const { properties = {} } = (EVENT_DATA[type] ?? {}) as { readonly properties?: object };
  return Object.keys(data).filter((name) => !Object.hasOwn(properties, name));
}

const marked: Readonly<Record<string, unknown>> = {
  settings: { headers: { authorization: 'SECRET' } },
  tokenHash: 'SECRET',
  somethingNew: 'SECRET',
};

describe.each(logs)('the public events of %s', (_name, events) => {
  const told = events.flatMap((event) => {
    const shown = atOnce(shownOf(owner, event, 'public'));
    return shown === null ? [] : [shown.event];
  });

  it('are as the published schema says, and contain nothing that it does not name', () => {
    for (const event of told) {
      expect([fits(event), fits.errors, event]).toEqual([true, null, event]);
      expect([event.type, unknownFields(event)]).toEqual([event.type, []]);
    }
    expect(told.length).toBeGreaterThan(0);
  });

  it.each(['public', 'log'] as const)('have only fields that the view %s names', (view) => {
    for (const event of events) {
      const withMore = { ...event, ...marked } as unknown as RunEvent;
      expect(JSON.stringify(atOnce(shownOf(owner, withMore, view))) ?? '').not.toContain('SECRET');
      expect(JSON.stringify(wholeOf(owner, withMore, view)) ?? '').not.toContain('SECRET');
    }
  });

  it('are all events of the log in the view `log`', () => {
    for (const event of events) {
      const view = wholeOf(owner, event, 'log');
      expect([view?.type, view?.seq, view?.path]).toEqual([
        event.type,
        event.seq,
        'path' in event ? event.path : undefined,
      ]);
      expect(view?.data).not.toHaveProperty('settings');
      expect(JSON.stringify(view)).not.toContain('"owner"');
    }
  });
});

describe('the types of events', () => {
  it('are published as the service has them: npm run openapi', () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(eventDocument())));
  });

  it('are those of the schema, and of what is published', () => {
    expect(Object.keys(EVENT_DATA)).toEqual([...PUBLIC_EVENT_TYPES]);
    expect(
      JSON.stringify(published)
        .match(/"const":"[^"]+"/g)
        ?.map((text) => text.slice(9, -1)),
    ).toEqual([...PUBLIC_EVENT_TYPES]);
  });

  it('all occur in some history, except forks, which have their own tests', () => {
    const seen = new Set(
      logs.flatMap(([, events]) => events.map((event) => wholeOf(owner, event, 'public')?.type)),
    );
    expect(PUBLIC_EVENT_TYPES.filter((type) => !seen.has(type) && type !== 'run.forked')).toEqual([]);
  });

  it('say of a fork where it began and with what', () => {
    const by = { id: 'ann', owner: 'acct-7', via: 'http', auth: 'host' } as const;
    const edits = {
      input: true,
      state: { a: 1 },
      unitInput: { unitId: 'u', input: [1] },
      pastGates: [3],
    } as const;
    const event = { v: 1, seq: 2, at: 5, type: 'run-forked', fromRunId: 's', fromSeq: 9, edits, by } as const;
    const told = wholeOf(owner, event, 'public');
    expect([fits(told), told]).toEqual([
      true,
      {
        runId: 'r',
        workflowId: 'w',
        seq: 2,
        at: 5,
        type: 'run.forked',
        data: { fromRunId: 's', fromSeq: 9, edits, by: { id: 'ann', via: 'http', auth: 'host' } },
      },
    ]);
  });
});
