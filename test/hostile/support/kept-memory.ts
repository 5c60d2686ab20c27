import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** So that the inspector of a process, which a signal starts, listens on a free port. */
export const INSPECTOR_OPTIONS = '--inspect-port=127.0.0.1:0';

const LISTENS = /Debugger listening on (ws:\/\/\S+)/;
const FIGURES =
  '(() => { const { heapUsed, external } = process.memoryUsage(); return heapUsed + external; })()';

interface Answer {
  readonly id?: number;
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

/**
 * What the main thread of a process keeps once its garbage is collected: unlike the memory that it holds, this does not depend on when
 * V8 thinks of it.
 */
export async function keptMib({
  pid,
  output,
}: {
  readonly pid: number;
  readonly output: () => string;
}): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const inspector = new WebSocket(await addressIn(output));
  try {
    await once(inspector, 'open');
    await ask(inspector, 1, 'HeapProfiler.collectGarbage', {});
    const { result } = await ask(inspector, 2, 'Runtime.evaluate', { expression: FIGURES });
    return Number(result?.result?.value) / 2 ** 20;
  } finally {
    inspector.close();
  }
}

async function addressIn(output: () => string): Promise<string> {
  for (;;) {
    const address = LISTENS.exec(output())?.[1];
    if (address !== undefined) return address;
    await delay(20);
  }
}

async function ask(inspector: WebSocket, id: number, method: string, params: object): Promise<Answer> {
  inspector.send(JSON.stringify({ id, method, params }));
  for (;;) {
    const [{ data }] = (await once(inspector, 'message')) as [MessageEvent];
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id === id) return answer;
  }
}
