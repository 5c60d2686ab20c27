import { addressOf, FRONT, hrefOf } from './address.js';

const read = (href: string) => addressOf(new URL(href, 'https://flow.test/any/prefix/console/'));

it('an address holds what one looks at, whatever is in its ids', () => {
  const query = { workflow: 'a/b c', run: '100% "sure"&=é' };
  expect(read(hrefOf('run', query))).toEqual({ screen: 'run', query });
});

it('the front is the folder of the console itself', () => {
  expect(read(hrefOf(FRONT))).toEqual({ screen: FRONT, query: {} });
});

it('what is not said is left out of the address', () => {
  expect(hrefOf('runs', { status: undefined, label: '' })).toBe('runs');
});
