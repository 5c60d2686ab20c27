import { Injectable } from '@nestjs/common';
import { OnRunEvent, Unit, type RunEvent } from 'flowgate';

const QUEUES = { invoice: 'billing', password: 'accounts' };

@Injectable()
export class Tickets {
  @Unit('tickets.sort')
  sort({ text }: { text: string }): string {
    const word = Object.keys(QUEUES).find((known) => text.toLowerCase().includes(known));
    return word === undefined ? 'everybody' : QUEUES[word as keyof typeof QUEUES];
  }

  @Unit('tickets.answer')
  answer({ queue }: { queue: string }): string {
    return `Somebody of ${queue} reads this.`;
  }

  @OnRunEvent('completed', { workflow: 'ticket' })
  sorted({ runId, record }: RunEvent): void {
    console.log(`${runId} went to ${String(record.result?.state['output.sort'])}`);
  }
}
