import { PassThrough } from 'node:stream';
import { until } from '../../../test/support/eventually.js';
import { LiveTree } from './live-tree.js';
import type { SentEvent } from './log-event.js';

const EVENTS: readonly SentEvent[] = [
  { workflowId: 'w', seq: 1, at: 1, type: 'run-started', data: {} },
  { workflowId: 'w', seq: 2, at: 2, type: 'unit-scheduled', data: { unitId: 'greet-everybody' }, path: '0' },
];

describe('the tree of a run on a terminal that nobody told its size', () => {
  it('is drawn over itself as on one of the usual size', async () => {
    let said = '';
    const stream = Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 0,
      rows: 0,
      hasColors: () => false,
    });
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    const tree = new LiveTree(stream as unknown as NodeJS.WriteStream, {
      async *eventsAfter(seq) {
        yield* EVENTS.filter((event) => event.seq > seq);
      },
      whole: () => Promise.reject(new Error('Nothing is long.')),
    });
    tree.wake();
    await until(() => said.includes('\u001B[J'), 'the tree was drawn over itself');
    await tree.settle();
    expect(said).not.toContain('Infinity');
    expect(said).toContain('greet-everybody');
  });
});
