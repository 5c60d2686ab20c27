import { Logger, type LoggerService } from '@nestjs/common';
import type { Engine } from '../engine/index.js';
import { HealthService } from './health.service.js';

type Figures = Awaited<ReturnType<Engine['health']>>;

const WELL: Figures = { store: 'ok', memoryBehind: 3, undecidedRuns: 1, stalledRuns: 2, heldUp: null };
const ILL: Figures = { ...WELL, store: '/var/lib/flowgate is gone: restore it' };

/** A service over a scripted engine, and the lines that it logged. */
function serviceOver(health: () => Promise<Figures>, isClosing = false) {
  const lines: string[] = [];
  const note = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  const logger: LoggerService = { log: note('info'), warn: note('warn'), error: note('error') };
  Logger.overrideLogger(logger);
  const workflows = { list: () => Promise.resolve([{ workflowId: 'a' }]) };
  const engine = { workflows, health, isClosing } as unknown as Engine;
  return { service: new HealthService(engine, null), engine, lines };
}

afterAll(() => Logger.overrideLogger(false));

describe('the health', () => {
  it('of a service that is well has the figures', async () => {
    const { service } = serviceOver(() => Promise.resolve(WELL));
    expect(await service.health()).toEqual({
      ok: true,
      workflows: ['a'],
      version: expect.any(String),
      memory: { behind: 3 },
      undecided: 1,
      stalled: 2,
    });
  });

  it('names who holds up those that follow the log, for as long as somebody does', async () => {
    let heldUp: Figures['heldUp'] = { pid: 4_711, forMs: 93_000 };
    const { service } = serviceOver(() => Promise.resolve({ ...WELL, heldUp }));
    expect(await service.health()).toMatchObject({ ok: true, heldUp: { pid: 4_711, forMs: 93_000 } });
    heldUp = null;
    expect(await service.health()).not.toHaveProperty('heldUp');
  });

  it('says that the store is away, and not where it is', async () => {
    const { service } = serviceOver(() => Promise.resolve(ILL));
    const health = await service.health();
    expect(health).toMatchObject({
      ok: false,
      memory: { behind: 3 },
      error: expect.stringContaining('store'),
    });
    expect(JSON.stringify(health)).not.toContain('/var/lib');
  });

  it('answers when neither figures nor workflows can be had', async () => {
    const away = () => Promise.reject(new Error('gone'));
    const { service, engine } = serviceOver(away);
    Object.assign(engine, { workflows: { list: away } });
    expect(await service.health()).toEqual({
      ok: false,
      workflows: [],
      version: expect.any(String),
      code: 'store',
      error: expect.stringContaining('store'),
    });
  });

  it('asks the store nothing any more once the service shuts down', async () => {
    let asked = 0;
    const { service } = serviceOver(() => Promise.resolve(((asked += 1), WELL)), true);
    expect(await service.health()).toMatchObject({ ok: false, error: 'The service is shutting down' });
    expect(asked).toBe(0);
  });

  it('that cannot be determined is logged once for each change, however often it is requested', async () => {
    let answer = () => Promise.resolve(WELL);
    const { service, lines } = serviceOver(() => answer());
    const away = () => Promise.reject(new Error('gone'));
    for (const how of [away, away, away, () => Promise.resolve(WELL), away, away]) {
      answer = how;
      await service.health();
    }
    expect(lines).toEqual([
      'error: The health cannot be told: gone',
      'error: The health cannot be told: gone',
    ]);
  });
});
