import { Agent, request } from 'node:http';
import type { RunRecord, SnapshotSummary } from '../../../src/engine/index.js';
import type { FuzzCase, Move } from './case-arbitrary.js';
import { BOUND } from './unit-arbitrary.js';

const WITHIN_MS = 20_000;
/** The 500s that the interface asks for. */
const NAMED = /^(Unknown run|No checkpoint found for run|Unknown workflow): /;

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: Partial<RunRecord> & {
    readonly error?: string;
    readonly snapshots?: readonly SnapshotSummary[];
  };
}

/** Registers a document, runs it, and steers the run as its caller would; throws what should not have been answered. */
export class CasePlayer {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    private readonly url: string,
    private readonly unitsUrl: string,
  ) {}

  /** How far it came, for the statistics. */
  async play({ workflowId, yaml, input, moves }: FuzzCase): Promise<string> {
    const bindings = yaml.includes(`"${BOUND}"`)
      ? { [BOUND]: { type: 'http', endpoint: this.unitsUrl } }
      : {};
    const registered = await this.call('POST', '/workflows/from-yaml', { yaml, bindings }, [201, 400]);
    if (registered.status === 400) return 'refused document';
    const runs = `/workflows/${workflowId}/runs`;
    const started = await this.call('POST', runs, { input, sync: true }, [202, 400, 500]);
    if (started.status !== 202) return 'refused input';
    const run = `${runs}/${started.body.runId}`;
    const outcomes = [started.body.status];
    for (const move of moves) {
      const { body } = await this.call('GET', run, undefined, [200]);
      if (!isDone(move, body.status)) outcomes.push(await this.move(run, move));
    }
    await this.call('GET', `${run}/messages?limit=50`, undefined, [200]);
    const tool = { name: 'get_run', arguments: { workflowId, runId: started.body.runId } };
    await this.call('POST', '/mcp', { id: 1, method: 'tools/call', params: tool }, [200]);
    return outcomes.findLast((status) => status !== undefined) ?? 'nothing';
  }

  leave(): void {
    this.agent.destroy();
  }

  private async move(run: string, move: Move): Promise<RunRecord['status'] | undefined> {
    switch (move) {
      case 'approve':
      case 'reject': {
        const answer = await this.call(
          'POST',
          `${run}/hitl`,
          { approved: move === 'approve' },
          [200, 409, 500],
        );
        return answer.body.status;
      }
      case 'resume':
        return (await this.call('POST', `${run}/resume`, {}, [200, 409, 500])).body.status;
      case 'rewind': {
        const { body } = await this.call('GET', `${run}/snapshots`, undefined, [200]);
        const { snapshots = [] } = body;
        const snapshotId = snapshots[Math.floor(snapshots.length / 2)]?.snapshotId;
        return (await this.call('POST', `${run}/resume`, { snapshotId }, [200, 409, 500])).body.status;
      }
    }
  }

  private async call(
    method: string,
    path: string,
    body: unknown,
    expected: readonly number[],
  ): Promise<Reply> {
    const reply = await this.send(method, path, body);
    const { status, text } = reply;
    const said = `${method} ${path.slice(0, 80)}: ${status} ${text.slice(0, 400)}`;
    if (!expected.includes(status)) throw new Error(said);
    if (status >= 400 && typeof reply.body.error !== 'string') throw new Error(`without a name: ${said}`);
    if (status === 500 && !NAMED.test(reply.body.error ?? ''))
      throw new Error(`a fault of the service: ${said}`);
    if (/\n\s+at .*(\.js|node:)/.test(text)) throw new Error(`a stack: ${said}`);
    return reply;
  }

  private send(method: string, path: string, body: unknown): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const options = {
        method,
        agent: this.agent,
        timeout: WITHIN_MS,
        headers: { 'content-type': 'application/json' },
      };
      const sent = request(`${this.url}${path}`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const answer = asJson(text);
          const status = response.statusCode ?? 0;
          if (answer !== null) resolve({ status, text, body: answer });
          else reject(new Error(`${method} ${path}: no JSON, ${status} ${text.slice(0, 200)}`));
        });
      });
      sent.on('timeout', () =>
        sent.destroy(new Error(`${method} ${path}: no answer within ${WITHIN_MS} ms`)),
      );
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** Of a run that is over there is nothing to decide; going back is always possible. */
function isDone(move: Move, status: RunRecord['status'] | undefined): boolean {
  return move !== 'rewind' && status === 'completed';
}

function asJson(text: string): Reply['body'] | null {
  try {
    return JSON.parse(text) as Reply['body'];
  } catch {
    return null;
  }
}
