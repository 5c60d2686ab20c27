import { onTimeoutOf } from './on-timeout.js';

const document = (unit: object) => ({ spec: { units: [{ id: 'other' }, { id: 'agree', ...unit }] } });

it('a gate whose time is up is rejected, unless its document says otherwise', () => {
  expect(onTimeoutOf(document({}), 'agree')).toBe('reject');
  expect(onTimeoutOf(document({ config: { onTimeout: 'approve' } }), 'agree')).toBe('approve');
  expect(
    onTimeoutOf(document({ config: { onTimeout: 'approve' }, with: { onTimeout: 'fail' } }), 'agree'),
  ).toBe('fail');
});

it.each([[null], [{}], [{ spec: { units: 7 } }], [{ spec: { units: [null, 'x'] } }]])(
  '%j says nothing',
  (value) => {
    expect(onTimeoutOf(value, 'agree')).toBe('reject');
  },
);
