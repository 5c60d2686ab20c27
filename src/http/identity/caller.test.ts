import { callerOf } from './caller.js';
import type { EdgeRequest } from '../edge-request.js';

const from = (remoteAddress: string | undefined, more: object = {}): EdgeRequest =>
  ({ url: '/', headers: {}, socket: { remoteAddress }, ...more }) as unknown as EdgeRequest;
const caller = (address: string | undefined) => callerOf(from(address), undefined);

it('is the principal that the host knows, whatever the address', () => {
  expect(callerOf(from('127.0.0.1'), 'ada')).toBe(callerOf(from('10.0.0.1'), 'ada'));
  expect(callerOf(from('127.0.0.1'), 'ada')).not.toBe(callerOf(from('127.0.0.1'), 'grace'));
});

it('is the address where the host knows no principal', () => {
  expect(callerOf(from('127.0.0.1'), null)).toBe(caller('127.0.0.1'));
  expect(caller('127.0.0.1')).not.toBe(caller('127.0.0.2'));
  expect(caller('::ffff:127.0.0.1')).toBe(caller('127.0.0.1'));
  // No principal can have the name of an address.
  expect(callerOf(from(undefined), '127.0.0.1')).not.toBe(caller('127.0.0.1'));
});

it('is the address that the host believes a proxy', () => {
  expect(callerOf(from('127.0.0.1', { ip: '10.0.0.7' }), undefined)).toBe(caller('10.0.0.7'));
});

it('is one for all addresses of a network that is given away whole', () => {
  expect(caller('2001:db8:1:2::1')).toBe(caller('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  expect(caller('2001:db8:1:2::1')).toBe(caller('2001:0db8:0001:0002::7'));
  expect(caller('2001:db8:1:2::1')).not.toBe(caller('2001:db8:1:3::1'));
  expect(caller('2001:db8::1')).toBe(caller('2001:db8:0:0:5::1'));
  expect(caller('::1')).toBe(caller('0:0:0:0:0:0:0:1'));
});

it('is one where no address is known', () => {
  expect(caller(undefined)).toBe(caller(undefined));
});
