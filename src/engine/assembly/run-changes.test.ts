import type { RunInMemory } from '../runtime/run-shell.js';
import { changeListeners, RunChanges, type NotifiedParts } from './run-changes.js';

const RUN = { runId: 'run', durable: { runId: 'run', seq: 7, createdAt: 1 } } as unknown as RunInMemory;

/** Parts that note who was notified, in order. */
function notedParts({ isMetered = true, isAudited = true } = {}) {
  const notified: string[] = [];
  const note = (who: string) => () => void notified.push(who);
  const parts = {
    completions: { changed: note('completions') },
    children: { changed: note('children') },
    watch: { announce: ({ seq }: { seq: number }) => void notified.push(`watch ${seq}`) },
    memories: { wake: note('memories') },
    audits: isAudited ? { wake: note('audits') } : null,
    logTail: { wake: note('logTail') },
    runLogger: { fromEvents: note('runLogger') },
    observers: { fromEvents: note('observers') },
    telemetry: isMetered ? { runStarted: note('telemetry') } : null,
    tracing: { runMoved: note('tracing') },
  } as unknown as NotifiedParts;
  return { parts, notified };
}

describe('what happens when a run has changed', () => {
  it('has a name and a place: callers, the family, who reads the log, who reports', () => {
    expect(changeListeners(notedParts().parts).map(({ name }) => name)).toEqual([
      'callers that wait',
      'family',
      'watch',
      'memory',
      'audit',
      'streams',
      'log of the process',
      'observers',
      'metrics',
      'traces',
    ]);
  });

  it('happens in that order', () => {
    const { parts, notified } = notedParts();
    new RunChanges(parts).changed(RUN, [{ type: 'run-started', at: 1 } as never], null);
    expect(notified).toEqual([
      'completions',
      'children',
      'watch 7',
      'memories',
      'audits',
      'logTail',
      'runLogger',
      'observers',
      'telemetry',
      'tracing',
    ]);
  });

  it('is not counted where nothing is measured', () => {
    const names = changeListeners(notedParts({ isMetered: false }).parts).map(({ name }) => name);
    expect(names).toHaveLength(9);
    expect(names).not.toContain('metrics');
  });

  it('is told to nobody who records where there is no audit', () => {
    const names = changeListeners(notedParts({ isAudited: false }).parts).map(({ name }) => name);
    expect(names).toHaveLength(9);
    expect(names).not.toContain('audit');
  });

  it('is announced, remembered and recorded, of a run that was imported', () => {
    const { parts, notified } = notedParts();
    new RunChanges(parts).imported(RUN.durable);
    expect(notified).toEqual(['watch 7', 'memories', 'audits', 'logTail']);
  });
});
