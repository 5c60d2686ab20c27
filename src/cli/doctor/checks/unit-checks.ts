import { connect } from 'node:net';
import type { FlowgateClient } from 'flowgate-client';
import { oneLine } from '../../terminal/printable.js';
import { finding, note, ok, type Check } from '../check.js';

/** More are not tried. */
const MAX_WORKFLOWS = 100;
const MAX_ORIGINS = 100;
const AT_ONCE = 10;
const WITHIN_MS = 3_000;

/** Whether somebody listens where the units of the registered workflows are called. Nothing is sent there. */
export async function unitChecks(
  client: Pick<FlowgateClient, 'listWorkflows' | 'getWorkflow'>,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const listed = await client.listWorkflows({ signal });
  const origins = new Map<string, string>();
  for (const { workflowId } of listed.slice(0, MAX_WORKFLOWS)) {
    const { bindings } = await client.getWorkflow(workflowId, { signal });
    for (const { uses, origin } of bindings)
      if (!origins.has(origin) && origins.size < MAX_ORIGINS) origins.set(origin, `${uses} of ${workflowId}`);
  }
  const silent = await eachOf([...origins], ([origin, who]) => faultOfUnit(origin, who, signal));
  const found = silent.filter((check) => check !== null);
  if (found.length > 0) return found;
  if (listed.length > MAX_WORKFLOWS)
    return [note('units', `Those of ${MAX_WORKFLOWS} workflows answer; the others were not tried`)];
  return [
    ok('units', origins.size === 0 ? 'No workflow calls any over HTTP' : `${origins.size} addresses answer`),
  ];
}

async function faultOfUnit(origin: string, who: string, signal: AbortSignal): Promise<Check | null> {
  const url = URL.parse(origin);
  if (url === null) return null;
  const fault = await connectFault(url, signal);
  if (fault === null) return null;
  return finding(
    'units',
    `${oneLine(origin, 200)} does not answer (${fault}): ${oneLine(who, 200)} is called there.`,
    'Start it, or register the workflow with its address: flowgate apply --bind uses=url.',
  );
}

/** The code of the system's error, or `timeout`; null: somebody listens. */
function connectFault({ hostname, port, protocol }: URL, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    });
    const end = (act: () => void): void => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      act();
    };
    const abort = (): void => end(() => reject(signal.reason as Error));
    signal.addEventListener('abort', abort, { once: true });
    socket.setTimeout(WITHIN_MS, () => end(() => resolve('timeout')));
    socket.once('connect', () => end(() => resolve(null)));
    socket.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => end(() => resolve(code)));
  });
}

async function eachOf<Item, Result>(items: readonly Item[], look: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  for (let begin = 0; begin < items.length; begin += AT_ONCE)
    results.push(...(await Promise.all(items.slice(begin, begin + AT_ONCE).map(look))));
  return results;
}
