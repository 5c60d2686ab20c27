import { ConfigError } from '../../../../errors/service-errors.js';
import { AddressPolicy, type AddressPolicyOptions } from './address-policy.js';
import { hostMatches, hostOf, hostPattern } from './host-pattern.js';

/** What the policy says of an endpoint's host, as it is written in a binding. */
function refusalOf(host: string, options: AddressPolicyOptions = {}): string | null {
  return new AddressPolicy(options).refusalOfHost(hostOf(new URL(`http://${host}/`)));
}

describe('without a setting', () => {
  it.each([
    ['169.254.169.254'],
    ['169.254.0.1'],
    // The same, as an integer, in octal, in hex, in two parts, in wide digits.
    ['2852039166'],
    ['0251.0376.0251.0376'],
    ['0xa9fea9fe'],
    ['0xA9.0376.43518'],
    ['169.254.43518'],
    ['①⑥⑨.254.169.254'],
    ['100.100.100.200'],
    ['168.63.129.16'],
    ['192.0.0.192'],
    ['[fe80::1]'],
    ['[febf:ffff::1]'],
    ['[fd00:ec2::254]'],
    ['[fd00:0ec2:0:0::0:23]'],
    ['[fd20:ce::254]'],
    // IPv4 inside IPv6: mapped, compatible, translated, NAT64 (well-known and local, each length), 6to4, Teredo, ISATAP.
    ['[::ffff:169.254.169.254]'],
    ['[::FFFF:a9fe:a9fe]'],
    ['[::169.254.169.254]'],
    ['[::ffff:0:169.254.169.254]'],
    ['[64:ff9b::169.254.169.254]'],
    ['[64:ff9b:1::169.254.169.254]'],
    ['[64:ff9b:1:a9fe:a9:fe00::]'],
    ['[64:ff9b:1:a9:fe:a9fe::]'],
    ['[64:ff9b:1:0:a9:fea9:fe00:0]'],
    ['[2002:a9fe:a9fe::1]'],
    ['[2001:0:a9fe:a9fe::1]'],
    ['[2001:0:1:2:3:4:5601:5601]'],
    ['[2001:db8::5efe:169.254.169.254]'],
    ['[2001:db8::200:5efe:a9fe:a9fe]'],
    ['[::ffff:168.63.129.16]'],
    ['metadata.google.internal'],
    ['METADATA.google.internal.'],
    ['metadata.goog'],
  ])('%s is refused', (host) => {
    expect(refusalOf(host)).toMatch(/^is link-local or the metadata service of a cloud/);
  });

  it.each([
    ['127.0.0.1'],
    ['localhost'],
    ['[::1]'],
    ['[::]'],
    ['0.0.0.0'],
    ['10.0.0.1'],
    ['192.168.1.1'],
    ['172.16.0.1'],
    ['[fd00::1]'],
    ['[::ffff:127.0.0.1]'],
    ['[64:ff9b::808:808]'],
    ['[2001:db8::1]'],
    ['169.255.0.1'],
    ['[fec0::1]'],
    ['units.example.com'],
    ['metadata.google.internal.example.com'],
  ])('%s is not', (host) => {
    expect(refusalOf(host)).toBeNull();
  });
});

describe('a denied address', () => {
  const deniedAddresses = ['evil.example', '*.bad.example', '10.1.2.3/8', '::1', '192.0.2.7', '127.0.0.0/8'];

  it.each([
    ['evil.example'],
    ['EVIL.example.'],
    ['a.b.bad.example'],
    ['10.255.0.1'],
    ['192.0.2.7'],
    ['[::ffff:192.0.2.7]'],
    ['[2002:0a00:0001::]'],
    ['[0:0::1]'],
    // What a connection to "any address" reaches.
    ['0.0.0.0'],
    ['[::]'],
    ['[::ffff:0.0.0.0]'],
  ])('%s is refused', (host) => {
    expect(refusalOf(host, { deniedAddresses })).toMatch(/^is denied by FLOWGATE_DENIED_ADDRESSES: /);
  });

  it.each([['bad.example'], ['notevil.example'], ['x.evil.example'], ['192.0.2.8'], ['11.0.0.1']])(
    '%s is not',
    (host) => {
      expect(refusalOf(host, { deniedAddresses })).toBeNull();
    },
  );
});

it.each([
  ['127.1', '127.0.0.1'],
  ['[::1]', '[::1]'],
  ['0x7f000001', '127.0.0.1'],
  ['[fd00::]/8', null],
])('the entry %s is for the address %s', (entry, host) => {
  const refuse = (): string | null => refusalOf(host ?? 'x', { deniedAddresses: [entry] });
  if (host === null) expect(refuse).toThrow(ConfigError);
  else expect(refuse()).toMatch(/^is denied/);
});

it('without IPv4 there is still the loopback of IPv6', () => {
  expect(refusalOf('[::1]', { deniedAddresses: ['0.0.0.0/0'] })).toBeNull();
});

describe('where single addresses are allowed', () => {
  const options = { allowedAddresses: ['units.example', '*.units.example', '10.0.0.0/8', '169.254.0.0/16'] };

  it.each([
    ['units.example', null],
    ['a.units.example', null],
    ['10.1.2.3', null],
    ['[::ffff:10.1.2.3]', null],
    ['[2002:0a01:0203::]', /^is not in FLOWGATE_ALLOWED_ADDRESSES: /],
    ['11.1.2.3', /^is not in FLOWGATE_ALLOWED_ADDRESSES: /],
    ['127.0.0.1', /^is not in FLOWGATE_ALLOWED_ADDRESSES: /],
    // No setting allows these.
    ['169.254.169.254', /^is link-local/],
  ])('%s: %p', (host, expected) => {
    const refusal = refusalOf(host, options);
    if (expected === null) expect(refusal).toBeNull();
    else expect(refusal).toMatch(expected);
  });

  it('a name may turn out to be in an allowed network, and is refused at once where there is none', () => {
    expect(refusalOf('other.example', options)).toBeNull();
    expect(refusalOf('other.example', { allowedAddresses: ['units.example'] })).toMatch(/^is not in/);
  });

  it('what is denied stays denied', () => {
    const both = { ...options, deniedAddresses: ['10.0.0.1', 'b.units.example'] };
    expect(refusalOf('10.0.0.1', both)).toMatch(/^is denied/);
    expect(refusalOf('b.units.example', both)).toMatch(/^is denied/);
    expect(refusalOf('10.0.0.2', both)).toBeNull();
  });
});

it.each([
  ['deniedAddresses', 'FLOWGATE_DENIED_ADDRESSES', 'http://x'],
  ['deniedAddresses', 'FLOWGATE_DENIED_ADDRESSES', '10.0.0.0/33'],
  ['deniedAddresses', 'FLOWGATE_DENIED_ADDRESSES', 'example.com/24'],
  ['allowedAddresses', 'FLOWGATE_ALLOWED_ADDRESSES', 'a.*.example'],
  ['allowedAddresses', 'FLOWGATE_ALLOWED_ADDRESSES', 'example.com:80'],
  ['allowedAddresses', 'FLOWGATE_ALLOWED_ADDRESSES', ''],
])('%s with an entry that is none names its setting', (option, variable, entry) => {
  const refuse = (): AddressPolicy => new AddressPolicy({ [option]: ['10.0.0.1', entry] });
  expect(refuse).toThrow(ConfigError);
  expect(refuse).toThrow(`${variable} names ${JSON.stringify(entry)}: it must list hosts`);
});

it.each([
  ['api.example.com', 'api.example.com'],
  ['API.Example.com.', 'api.example.com'],
  ['*.Bücher.example', '*.xn--bcher-kva.example'],
  ['::1', '::1'],
  ['[0:0::1]', '::1'],
  ['127.1', '127.0.0.1'],
  ['*', null],
  ['*.*.example', null],
  ['a b', null],
  ['user@host', null],
  ['fe80::1%eth0', null],
])('the entry %s of a list of hosts stands for %s', (entry, expected) => {
  expect(hostPattern(entry)).toBe(expected);
});

it('a wildcard is for the names under a name', () => {
  expect(hostMatches('*.example.com', 'a.b.example.com')).toBe(true);
  expect(hostMatches('*.example.com', 'example.com')).toBe(false);
  expect(hostMatches('*.example.com', 'badexample.com')).toBe(false);
});
