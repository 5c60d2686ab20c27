import { labelsOf, runFilterOf } from './run-filter.js';

describe('what the address says of a list of runs', () => {
  it('is every run where it says nothing', () => {
    expect(runFilterOf({})).toEqual({});
  });

  it('is each filter of the service', () => {
    const query = {
      workflow: 'a/b',
      status: 'failed,paused',
      labels: 'team:billing',
      origin: 'fork',
      gate: 'open',
      cancelled: 'no',
      id: '0199',
      parent: 'p',
      forkedFrom: 'f',
      definition: 'h',
      gateUnit: 'agree',
    };
    expect(runFilterOf(query)).toEqual({
      workflowId: 'a/b',
      status: ['failed', 'paused'],
      labels: { team: 'billing' },
      origin: 'fork',
      openGate: true,
      cancelled: false,
      idPrefix: '0199',
      parent: 'p',
      forkedFrom: 'f',
      definitionHash: 'h',
      gateUnit: 'agree',
    });
  });

  it('takes instants of the reader’s own zone', () => {
    expect(runFilterOf({ after: '2026-11-01T08:30' })).toEqual({
      createdAfter: new Date(2026, 10, 1, 8, 30).getTime(),
    });
  });

  it('passes over what is no filter: an address that somebody mistyped shows more, never nothing', () => {
    expect(runFilterOf({ status: 'broken', origin: 'moon', after: 'soon', cancelled: 'maybe' })).toEqual({});
  });
});

it('labels are pairs, up to three; a value may contain a colon', () => {
  expect(labelsOf('a:1, b:2:3 ,broken, c:4, d:5')).toEqual({ a: '1', b: '2:3', c: '4' });
  expect(labelsOf(':x, y:')).toBeNull();
});
