import { once } from 'node:events';
import { jest } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { document, gate, mock } from '../support/workflow-documents.js';
import type { Attacker } from './support/attacker.js';
import { flowing, looping, numbers, set } from './support/hostile-documents.js';
import { keptMib } from './support/kept-memory.js';
import { besiege, type Besieged } from './support/siege.js';

const STREAMS = 1_000;
/** They are opened as by clients that reconnect in batches: each takes about a millisecond of the event loop. */
const OPENED_AT_ONCE = 10;
const BETWEEN_MS = 40;
/**
 * What the service may keep with a thousand of them, garbage apart: 42 MiB are its own, and 20 to 60 theirs. Streams that each kept what
 * they have not sent would keep gigabytes.
 */
const MOST_KEPT_MIB = 150;
/** As many again, once all are closed, keep what those kept. */
const MOST_GROWN_MIB = 30;

/** A client that requests a stream, and reads nothing of it. */
async function openUnread(url: string, path: string): Promise<Socket> {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`);
  return socket;
}

interface Unread {
  readonly prepare: (attacker: Attacker) => Promise<void>;
  readonly paths: (attacker: Attacker) => readonly string[] | Promise<readonly string[]>;
  /** What happens again and again while nobody reads. */
  readonly meanwhile?: (attacker: Attacker) => Promise<void>;
}

async function siegeOf(name: string, { prepare, paths, meanwhile }: Unread): Promise<readonly string[]> {
  const sockets: Socket[] = [];
  const kept: number[] = [];
  const open = async ({ attacker, url }: Besieged): Promise<void> => {
    const asked = await paths(attacker);
    for (const n of numbers(STREAMS)) {
      sockets.push(await openUnread(url, asked[n % asked.length] ?? ''));
      if (n % OPENED_AT_ONCE === 0) await delay(BETWEEN_MS);
    }
  };
  const look = async (besieged: Besieged): Promise<void> => void kept.push(await keptMib(besieged));
  const faults = await besiege(name, {
    watchMs: 12_000,
    afterRestartMs: 0,
    mostMib: 1_024,
    prepare: ({ attacker }) => prepare(attacker),
    attack: async (besieged) => {
      await open(besieged);
      while (!besieged.isOver()) await (meanwhile?.(besieged.attacker) ?? delay(100));
    },
    afterwards: async (besieged) => {
      // Not before: who collects all garbage forgets compiled code, too, and the others would wait for it.
      await look(besieged);
      for (const socket of sockets.splice(0)) socket.destroy();
      await open(besieged);
      await look(besieged);
      const [then = 0, again = 0] = kept.map(Math.round);
      process.stdout.write(`${name}: it keeps ${then} MiB, and ${again} with as many again\n`);
      if (then > MOST_KEPT_MIB) throw new Error(`it kept ${then} MiB`);
      if (again - then > MOST_GROWN_MIB)
        throw new Error(`with as many again it kept ${again - then} MiB more`);
    },
  });
  for (const socket of sockets) socket.destroy();
  return faults;
}

/** Starts so many runs; throws where the service does not accept them. */
async function startMany(attacker: Attacker, workflowId: string, body: object, times: number): Promise<void> {
  for (let started = 0; started < times; started += 10) {
    const ids = await attacker.start(workflowId, body, 10);
    if (ids.length < 10) throw new Error(`${workflowId} was not started`);
  }
}

jest.setTimeout(180_000);

describe('a thousand streams that nobody reads: nobody else notices', () => {
  it('of a list of gates with payloads of 60 KB', async () => {
    const faults = await siegeOf('gates', {
      prepare: async (attacker) => {
        await attacker.register(document('asks', [gate('ok', { payload: '${{ input.text }}' })]));
        await startMany(attacker, 'asks', { input: { text: 'x'.repeat(60_000) } }, 200);
      },
      paths: () => ['/gates?limit=200'],
    });
    expect(faults).toEqual([]);
  });

  it('of two hundred lists of gates, each of another length', async () => {
    const faults = await siegeOf('pages of gates', {
      prepare: async (attacker) => {
        await attacker.register(document('asks', [gate('ok', { payload: '${{ input.text }}' })]));
        await startMany(attacker, 'asks', { input: { text: 'x'.repeat(60_000) } }, 200);
      },
      paths: () => numbers(200).map((n) => `/gates?limit=${n + 1}`),
    });
    expect(faults).toEqual([]);
  });

  it('of a list of runs with titles of 10,000 characters', async () => {
    const faults = await siegeOf('runs', {
      prepare: async (attacker) => {
        const title = '${{ input.text }}';
        const gates = numbers(20).map((n) => gate(`g${n}`, { title }));
        await attacker.register(
          flowing('asks', gates, { type: 'parallel', units: gates.map(({ id }) => id) }),
        );
        await startMany(attacker, 'asks', { input: { text: 'x'.repeat(10_000) } }, 200);
      },
      paths: () => ['/runs?limit=200'],
      meanwhile: async (attacker) => {
        await attacker.start('asks', { input: { text: 'y'.repeat(10_000) } });
        await delay(200);
      },
    });
    expect(faults).toEqual([]);
  });

  it('of the events of a run', async () => {
    let run = '';
    const faults = await siegeOf('events of a run', {
      prepare: async (attacker) => {
        const step = set('step', { text: 'x'.repeat(3_000) });
        await attacker.register(looping('long', [step], 'step', 1_300));
        const [runId = ''] = await attacker.start('long', { sync: true });
        run = `/workflows/long/runs/${runId}/events`;
      },
      paths: () => [run],
    });
    expect(faults).toEqual([]);
  });

  it('of the events of all runs', async () => {
    const faults = await siegeOf('all events', {
      prepare: async (attacker) => {
        await attacker.register(
          document(
            'talks',
            numbers(10).map((n) => mock(`u${n}`, 'x'.repeat(3_000))),
          ),
        );
        await startMany(attacker, 'talks', { sync: true }, 20);
      },
      paths: () => ['/events'],
      meanwhile: async (attacker) => void (await attacker.start('talks', { sync: true })),
    });
    expect(faults).toEqual([]);
  });
});
