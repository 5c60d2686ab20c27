import type { RunEvent, RunRecord } from 'flowgate-client';
import { followed } from './followed.js';

const record = (status: RunRecord['status']): RunRecord => ({
  runId: 'r',
  workflowId: 'w',
  status,
  createdAt: 1,
  updatedAt: 1,
});
const eventOf = (seq: number): RunEvent => ({
  runId: 'r',
  workflowId: 'w',
  seq,
  at: seq,
  type: 'unit.finished',
  data: { unitId: 'a' },
  // A pause is told with each of the first two.
  ...(seq <= 2
    ? { change: { type: 'run.paused', data: { reason: 'waiting', unitId: null, status: 'paused' } } }
    : {}),
});

/** A run whose streams are scripted, in order; the last stream never ends. */
class ScriptedRun {
  left = 0;
  readonly watched: number[] = [];

  constructor(
    private readonly streams: readonly (readonly number[])[],
    private readonly statuses: RunRecord['status'][],
    private readonly later: readonly number[] = [],
  ) {}

  getRun = async (): Promise<RunRecord> => {
    const [status = 'running'] = this.statuses;
    if (this.statuses.length > 1) this.statuses.shift();
    return record(status);
  };

  watchRun = (_workflowId: string, _runId: string, { afterSeq = 0 } = {}) => {
    const seqs = this.streams[this.watched.push(afterSeq) - 1];
    return this.told(seqs ?? [], seqs === this.streams.at(-1) && this.later.length > 0);
  };

  eachEvent = (_workflowId: string, _runId: string, { afterSeq = 0 } = {}) =>
    this.told(
      this.later.filter((seq) => seq > afterSeq),
      false,
    );

  private told(seqs: readonly number[], waits: boolean): AsyncIterableIterator<RunEvent> {
    const values = seqs.map(eventOf);
    let leave = (): void => undefined;
    const isLeft = new Promise<void>((resolve) => (leave = resolve));
    return {
      next: async () => {
        const value = values.shift();
        if (value !== undefined) return { done: false, value };
        if (waits) await isLeft;
        return { done: true, value: undefined };
      },
      return: async () => {
        this.left += 1;
        leave();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}

async function shown(client: ScriptedRun, untilPaused: boolean) {
  const seqs: number[] = [];
  const asLine = async ({ seq }: RunEvent): Promise<void> => void seqs.push(seq);
  const signal = new AbortController().signal;
  const end = await followed({
    client: client as never,
    workflowId: 'w',
    runId: 'r',
    signal,
    untilPaused,
    asLine,
  });
  return { seqs, status: end.status };
}

describe('a run that is followed', () => {
  it('is shown to its end', async () => {
    expect(await shown(new ScriptedRun([[1, 2, 4]], ['completed']), false)).toEqual({
      seqs: [1, 2, 4],
      status: 'completed',
    });
  });

  it('continues to be shown if it was resumed before its record was read', async () => {
    const client = new ScriptedRun([[1, 2], [5]], ['running', 'failed']);
    expect(await shown(client, false)).toEqual({ seqs: [1, 2, 5], status: 'failed' });
    expect(client.watched).toEqual([0, 2]);
  });

  it('is shown until it is paused, with all that it did until then', async () => {
    const client = new ScriptedRun([[1, 2]], ['running', 'running', 'paused'], [1, 2, 3, 4]);
    expect(await shown(client, true)).toEqual({ seqs: [1, 2, 3, 4], status: 'paused' });
    expect(client.left).toBeGreaterThan(0);
  });

  it('that is paused already is shown with all that it did, whatever its events tell', async () => {
    const client = new ScriptedRun([[1]], ['paused'], [3, 4]);
    expect(await shown(client, true)).toEqual({ seqs: [3, 4], status: 'paused' });
    expect(client.watched).toEqual([]);
  });

  it('that ends before it pauses is shown to its end', async () => {
    expect(await shown(new ScriptedRun([[1]], ['completed']), true)).toEqual({
      seqs: [1],
      status: 'completed',
    });
  });
});
