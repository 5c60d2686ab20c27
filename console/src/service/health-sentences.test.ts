import { healthSentences } from './health-sentences.js';

const of = (health: Parameters<typeof healthSentences>[0]) =>
  healthSentences(health).map(({ isWell, sentence }) => `${isWell ? '+' : '-'} ${sentence}`);

it('a service that is well says so, and nothing that it does not know', () => {
  expect(of({ ok: true })).toEqual(['+ It takes work.']);
  expect(of({ ok: true, undecided: 0, stalled: 0, memory: { behind: 0 } })).toEqual([
    '+ It takes work.',
    '+ No run is stuck.',
    '+ The memory search knows all that units have said.',
  ]);
});

it('one that is not says what to do', () => {
  const health = {
    ok: false,
    error: 'The service is shutting down',
    undecided: 1,
    stalled: 2,
    memory: { behind: 12_000 },
    heldUp: { pid: 4711, forMs: 93_400 },
    accessFile: 'it is no JSON',
  };
  expect(of(health)).toEqual([
    '- The service is shutting down',
    '- One run is stuck: what follows could not be decided. Mend the cause, then resume.',
    '- 2 times since it began a run had stalled and was read anew: a defect to report.',
    '- The memory search has 12,000 entries of the log still to read.',
    '- Process 4711 of the database has been holding up the search for 93 s: end its transaction.',
    '- The access file cannot be used, so the one before holds: it is no JSON',
  ]);
});

it('stuck runs are a view of the list', () => {
  expect(healthSentences({ ok: true, undecided: 3 })[1]).toMatchObject({ view: { status: 'paused' } });
});
