import { InMemoryAudit } from '../../in-memory/tables/in-memory-audit.js';
import { auditAct } from '../../ports/audit/audit-act.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { AuditRetention } from './audit-retention.js';

const DAY_MS = 86_400_000;

it('removes what is older than it is kept, in bounded steps, and again every hour', async () => {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const audit = new InMemoryAudit(() => undefined);
  const now = clock.wallTime();
  const acts = Array.from({ length: 1_200 }, () => auditAct({ at: now - 2 * DAY_MS, action: 'run.start' }));
  await audit.record({ acts: [...acts, auditAct({ at: now, action: 'run.cancel' })] });
  const limits: number[] = [];
  const removeBefore: InMemoryAudit['removeBefore'] = (request) => {
    limits.push(request.limit);
    if (limits.length === 1) return Promise.reject(new Error('the disk is full'));
    return audit.removeBefore(request);
  };
  const ended = new AbortController();
  const retention = new AuditRetention({ audit: { removeBefore }, clock, logger, retentionMs: DAY_MS });
  const working = retention.work(ended.signal);
  await clock.advance(1);
  expect([logger.at('warn').length, await audit.lastId()]).toEqual([1, 1_201]);
  await clock.advance(3_600_000);
  for (let steps = 0; steps < 10; steps += 1) await clock.advance(50);
  expect(await audit.readAfter({ afterId: 0, limit: 10 })).toMatchObject([{ action: 'run.cancel' }]);
  expect(new Set(limits)).toEqual(new Set([500]));
  await clock.advance(DAY_MS);
  for (let hours = 0; hours < 3; hours += 1) await clock.advance(3_600_000);
  expect(await audit.readAfter({ afterId: 0, limit: 10 })).toEqual([]);
  ended.abort();
  await working;
  expect(clock.scheduled).toBe(0);
});
