// A process of its own, run by Node without a build: its measurements must not depend on what the attacker computes.
import { Agent, request } from 'node:http';
import { peakResidentMib, processorWaitMs, residentMib } from './process-figures.ts';
import type { WatchOrder, WatchReport } from './watch-report.ts';

const EVERY_MS = 15;
const LOOK_AT_MEMORY_MS = 100;
const BEAT_MS = 5;
/** More unanswered requests than this add no information. */
const MOST_UNANSWERED = 64;
const GIVE_UP_MS = 15_000;

class Watcher {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 2 * MOST_UNANSWERED });
  private readonly latencies = { health: [] as number[], runs: [] as number[] };
  private readonly wrong = new Map<string, string>();
  private readonly order: WatchOrder;
  private readonly timers: NodeJS.Timeout[];
  private readonly pending = new Set<(reason: string | null) => void>();
  private isOver = false;
  private peakMib: number | null = null;
  /** The last beat of its own clock, and how much too late it came. */
  private beat = { at: performance.now(), lateMs: 0 };

  constructor(order: WatchOrder) {
    this.order = order;
    this.timers = [
      setInterval(() => {
        const at = performance.now();
        this.beat = { at, lateMs: Math.max(0, at - this.beat.at - BEAT_MS) };
      }, BEAT_MS),
      setInterval(() => this.ask(), EVERY_MS),
      setInterval(() => this.lookAtMemory(), LOOK_AT_MEMORY_MS),
    ];
    this.lookAtMemory();
  }

  report(): WatchReport {
    this.isOver = true;
    for (const timer of this.timers) clearInterval(timer);
    this.lookAtMemory();
    // What is not answered yet took at least this long.
    for (const end of this.pending) end(null);
    const ascending = (values: number[]) => values.sort((a, b) => a - b);
    const { health, runs } = this.latencies;
    const wrong = [...this.wrong.values()];
    return { health: ascending(health), runs: ascending(runs), wrong, peakMib: this.peakMib };
  }

  private ask(): void {
    if (this.pending.size >= MOST_UNANSWERED) return;
    const { workflowId } = this.order;
    this.send(
      'health',
      'GET',
      '/health',
      null,
      (status, body) => status === 200 && body['ok'] === true && (body['stalled'] ?? 0) === 0,
    );
    this.send('runs', 'POST', `/workflows/${workflowId}/runs`, '{"sync":true}', (status, body) => {
      const { state } = (body['result'] ?? {}) as { readonly state?: Record<string, unknown> };
      return status === 202 && body['status'] === 'completed' && state?.['output.quick'] === 'ok';
    });
  }

  private send(
    kind: 'health' | 'runs',
    method: string,
    path: string,
    body: string | null,
    isRight: (status: number, answer: Record<string, unknown>) => boolean,
  ): void {
    const { url, pid } = this.order;
    const begun = { at: performance.now(), waited: processorWaitMs(pid) };
    const end = (reason: string | null): void => {
      if (!this.pending.delete(end)) return;
      const excused = this.ownLateMs() + processorWaitMs(pid) - begun.waited;
      this.latencies[kind].push(Math.max(0, performance.now() - begun.at - excused));
      if (reason !== null && !this.isOver)
        this.wrong.set(`${kind} ${reason.slice(0, 40)}`, `${kind}: ${reason}`);
    };
    this.pending.add(end);
    const headers = body === null ? {} : { 'content-type': 'application/json' };
    const sent = request(
      `${url}${path}`,
      { method, headers, agent: this.agent, timeout: GIVE_UP_MS },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', (error) => end(error.message));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          end(isRight(status, asObject(text)) ? null : `${status} ${text.slice(0, 300)}`);
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${GIVE_UP_MS} ms`)));
    sent.on('error', (error) => end(error.message));
    sent.end(body);
  }

  /** The longest time that a response that is read now may have waited here, since this process did not run. */
  private ownLateMs(): number {
    const sinceBeatMs = performance.now() - this.beat.at;
    return Math.max(0, sinceBeatMs - BEAT_MS, sinceBeatMs < BEAT_MS ? this.beat.lateMs : 0);
  }

  private lookAtMemory(): void {
    const { pid } = this.order;
    const figures = [this.peakMib, residentMib(pid), peakResidentMib(pid)].filter(
      (figure) => figure !== null,
    );
    this.peakMib = figures.length === 0 ? null : Math.max(...figures);
  }
}

function asObject(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

let watcher: Watcher | null = null;
process.on('message', (message: WatchOrder | 'report') => {
  if (message !== 'report') {
    watcher = new Watcher(message);
    process.send?.('watching');
  } else if (watcher !== null) {
    process.send?.(watcher.report(), () => process.exit(0));
  }
});
process.on('disconnect', () => process.exit(0));
