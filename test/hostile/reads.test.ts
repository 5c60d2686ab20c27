import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { bound, document, mock, remote } from '../support/workflow-documents.js';
import type { Attacker } from './support/attacker.js';
import { longText, looping, numbers, set } from './support/hostile-documents.js';
import { besiege, type Besieged } from './support/siege.js';

/** Reads repeatedly until the watch is over. */
async function poll({ attacker, isOver }: Besieged, paths: readonly string[]): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      while (!isOver()) await attacker.get(path);
    }),
  );
}

async function startOne(attacker: Attacker, workflowId: string, body: object = {}): Promise<string> {
  const [runId] = await attacker.start(workflowId, body);
  if (runId === undefined) throw new Error(`${workflowId} was not started`);
  return `/workflows/${workflowId}/runs/${runId}`;
}

describe('reading what is large: nobody else notices', () => {
  it('the snapshots and messages of a run of a hundred thousand steps', async () => {
    const faults = await besiege('a long run', {
      // The store's threads, the loop and the readers share two cores: a run, which takes several commits, comes last.
      mostMs: 600,
      mostMib: 704,
      watchMs: 6_000,
      attack: async (besieged) => {
        const { attacker } = besieged;
        await attacker.register(looping('steps', [set('step', { n: '${{ iteration }}' })], 'step', 100_000));
        const run = await startOne(attacker, 'steps');
        const reads = ['/snapshots', '/snapshots', '/messages', '/snapshots?limit=100000', ''];
        void poll(
          besieged,
          reads.map((path) => `${run}${path}`),
        );
      },
    });
    expect(faults).toEqual([]);
  });

  it('a record of fifty megabytes', async () => {
    const faults = await besiege('a large record', {
      mostMib: 1_024,
      watchMs: 5_000,
      attack: async (besieged) => {
        const { attacker } = besieged;
        // Each unit echoes the run's input; the state stays below its limit.
        await attacker.register(
          document(
            'large',
            numbers(6).map((n) => ({ id: `u${n}`, uses: 'builtin.mock' })),
          ),
        );
        const run = await startOne(attacker, 'large', { input: { big: 'x'.repeat(7_900_000) } });
        void poll(besieged, [run, run, `${run}/messages`, `${run}/snapshots`]);
      },
    });
    expect(faults).toEqual([]);
  });

  it('a run whose units answered seven million numbers', async () => {
    const answer = JSON.stringify({ output: numbers(499_000).map((n) => n % 10) });
    const unit = createServer((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(answer);
      });
    }).listen(0, '127.0.0.1');
    await once(unit, 'listening');
    const endpoint = `http://127.0.0.1:${(unit.address() as AddressInfo).port}/`;
    let run = '';
    const faults = await besiege('a run of many small values', {
      mostMib: 1_536,
      watchMs: 10_000,
      afterRestartMs: 0,
      prepare: async ({ attacker }) => {
        const units = numbers(14).map((n) => remote(`u${n}`));
        const bindings = Object.assign({}, ...numbers(14).map((n) => bound(`u${n}`, endpoint))) as object;
        await attacker.register(document('numbers', units), bindings);
        run = await startOne(attacker, 'numbers');
        const isOver = async () =>
          (await attacker.get('/runs?workflowId=numbers&status=completed')).text.includes('runId');
        while (!(await isOver())) await delay(100);
      },
      attack: async (besieged) => {
        await poll(besieged, [run, `${run}/messages`, `${run}/events?view=log`, `${run}/export`]);
      },
    });
    unit.close();
    expect(faults).toEqual([]);
  });

  it('a failed run that has recorded hundreds of megabytes', async () => {
    const faults = await besiege('a failed run with a long log', {
      watchMs: 5_000,
      attack: async (besieged) => {
        const { attacker } = besieged;
        const flow = {
          type: 'sequential',
          order: [{ type: 'loop', do: 'copy', maxIterations: 300 }, 'stop'],
        };
        const stop = { id: 'stop', uses: 'builtin.fail', config: { message: 'enough' } };
        const copy = set('copy', { copied: '${{ input.big + string(iteration) }}' });
        await attacker.register(document('fat', [copy, stop], { flow }));
        const run = await startOne(attacker, 'fat', { input: { big: 'x'.repeat(1_000_000) } });
        void poll(besieged, [run, run, `${run}/snapshots`]);
      },
    });
    expect(faults).toEqual([]);
  });
});

describe('asking for what is over: nobody else notices', () => {
  it('a resume and a decision for each of a thousand ended runs of half a megabyte', async () => {
    const faults = await besiege('ended runs', {
      mostMib: 704,
      watchMs: 8_000,
      afterRestartMs: 1_500,
      attack: async ({ attacker, isOver }) => {
        await attacker.register(
          document('ended', [set('fill', { text: `\${{ ${longText(15)} }}` }), mock('quick', 1)]),
        );
        await Promise.all(
          numbers(4).map(async () => {
            for (let turn = 0; turn < 250 && !isOver(); turn += 1) {
              const { body } = await attacker.post('/workflows/ended/runs', { sync: true });
              const path = `/workflows/ended/runs/${String(body['runId'])}`;
              await attacker.post(`${path}/resume`, {});
              await attacker.post(`${path}/hitl`, { approved: true });
            }
          }),
        );
      },
    });
    expect(faults).toEqual([]);
  });
});
