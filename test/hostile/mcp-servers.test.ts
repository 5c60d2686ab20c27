import { setTimeout as delay } from 'node:timers/promises';
import { startHostileMcpServer, type HostileMcpServer } from '../support/hostile-mcp-server.js';
import { document } from '../support/workflow-documents.js';
import type { Attacker } from './support/attacker.js';
import { besiege } from './support/siege.js';

const ONCE = { retry: { maxAttempts: 1 } };
const MIB = 1024 * 1024;
/** The growth of the heap that any process keeps after some work. */
const KEPT_MIB = 32;

let server: HostileMcpServer;
beforeAll(async () => {
  server = await startHostileMcpServer();
});
afterAll(() => server.close());

const tool = (path: string): object => ({
  id: 'call',
  uses: 'builtin.mcp',
  config: { url: `${server.url}/${path}`, tool: 'echo' },
});

async function heapMib(attacker: Attacker): Promise<number> {
  const { text } = await attacker.get('/metrics');
  return Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1]) / MIB;
}

describe('a server of MCP that answers badly: nobody else notices', () => {
  it.each([
    [
      'too much of everything',
      ['badframe', 'values', 'keysframe', 'deepframe', 'frame', 'refusal', 'redirect'],
    ],
    [
      'what is wrong ten thousand times',
      ['badjson', 'badblocks', 'badblock', 'badrest', 'initialize/badjson'],
    ],
    ['messages without end', ['frames', 'notes', 'batch', 'questions', 'discover/frames']],
    ['lines without end', ['oneline', 'lines', 'datalines', 'drip']],
    ['as much as it may', ['numbers', 'blocks']],
  ])('%s', async (name, paths) => {
    let before = 0;
    const faults = await besiege(`an MCP server that sends ${name}`, {
      mostMib: 768,
      prepare: async ({ attacker }) => {
        // The client of MCP is loaded at the first call.
        await attacker.register(document('warm', [tool('honest/none')], { policy: ONCE }));
        await attacker.post('/workflows/warm/runs', { sync: true });
        before = await heapMib(attacker);
      },
      attack: async ({ attacker, isOver }) => {
        for (const [index, path] of paths.entries())
          await attacker.register(document(`mcp-${index}`, [tool(path)], { policy: ONCE }));
        // A dripping response ends by itself only in hours: its run is started and left.
        const sync = !paths.includes('drip');
        const call = async (index: number): Promise<void> => {
          while (!isOver()) {
            await attacker.post(`/workflows/mcp-${index}/runs`, { sync });
            if (!sync) await delay(100);
          }
        };
        await Promise.all(paths.map((_path, index) => call(index)));
      },
      afterwards: async ({ attacker }) => {
        let kept = Infinity;
        for (let look = 0; look < 40 && kept > before * 1.1 + KEPT_MIB; look += 1) {
          await delay(250);
          kept = Math.min(kept, await heapMib(attacker));
        }
        expect(kept).toBeLessThanOrEqual(before * 1.1 + KEPT_MIB);
      },
    });
    expect(faults).toEqual([]);
  });
});
