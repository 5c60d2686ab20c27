import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callUnit } from '../../../../../test/support/remote-unit.js';
import { startUnitServer, type UnitServer } from '../../../../../test/support/unit-server.js';
import { WAYS } from '../../../../../test/support/unit-transports.js';
import type { UnitTransport } from '../../../ports/unit-transport.js';
import { AddressPolicy, type AddressPolicyOptions } from './address-policy.js';

const METADATA = { address: '169.254.169.254', family: 4 };
const HERE = { address: '127.0.0.1', family: 4 };

describe.each(WAYS)('over %s', (_way, createTransport) => {
  let server: UnitServer;
  let transport: UnitTransport | null = null;

  beforeEach(async () => {
    server = await startUnitServer({ body: { content: 'ok' } });
  });
  afterEach(async () => {
    await transport?.close();
    await server.close();
  });

  /** A name service that gives the next result at each lookup, the last one from then on. */
  function nameService(...answers: readonly (readonly LookupAddress[])[]) {
    const lookedUp: string[] = [];
    const lookup: LookupFunction = (hostname, _options, callback) => {
      const result = answers[Math.min(lookedUp.length, answers.length - 1)] ?? [];
      lookedUp.push(hostname);
      setImmediate(() => callback(null, [...result]));
    };
    return { lookedUp, lookup };
  }

  function call(endpoint: string, options: AddressPolicyOptions = {}, lookup?: LookupFunction) {
    transport = createTransport({
      addresses: new AddressPolicy(options),
      ...(lookup === undefined ? {} : { lookup }),
    });
    return callUnit({ endpoint, transport });
  }

  const refusedWith = (error: string) => ({
    kind: 'failed',
    error: expect.stringContaining(error),
    retryable: false,
    outcome: 'refused',
  });

  describe('a call', () => {
    it('to a literal address that is refused is not made', async () => {
      const denied = { deniedAddresses: ['127.0.0.0/8'] };
      expect(await call(server.url, denied)).toMatchObject(
        refusedWith('the address 127.0.0.1 is denied by FLOWGATE_DENIED_ADDRESSES'),
      );
      expect(await call('http://[::ffff:169.254.169.254]/latest')).toMatchObject(
        refusedWith('the address ::ffff:a9fe:a9fe is link-local or the metadata service of a cloud'),
      );
      expect(server.acceptedConnections).toBe(0);
    });

    it('to a refused name is not made, and the name is not looked up', async () => {
      const { lookup, lookedUp } = nameService([HERE]);
      expect(await call('http://metadata.google.internal./x', {}, lookup)).toMatchObject(
        refusedWith('the host metadata.google.internal is link-local or the metadata service of a cloud'),
      );
      expect(lookedUp).toEqual([]);
    });

    it('to a name that leads to a refused address is not made', async () => {
      const { lookup } = nameService([METADATA]);
      expect(await call('http://innocent.example/', {}, lookup)).toMatchObject(
        refusedWith('an address of innocent.example is link-local or the metadata service of a cloud'),
      );
    });

    it('over TLS is checked the same way', async () => {
      const { lookup } = nameService([METADATA]);
      expect(await call('https://innocent.example/', {}, lookup)).toMatchObject(
        refusedWith('an address of innocent.example is link-local'),
      );
    });

    it('goes to those addresses of a name that are not refused', async () => {
      const { lookup } = nameService([METADATA, { address: 'fe80::1%lo', family: 6 }, HERE]);
      expect(await call(`http://mixed.example:${server.port}/`, {}, lookup)).toMatchObject({ output: 'ok' });
    });

    it('goes to the address that was checked: a name is looked up once for a connection', async () => {
      const { lookup, lookedUp } = nameService([HERE], [METADATA]);
      const result = await call(`http://rebound.example:${server.port}/`, {}, lookup);
      expect(result).toMatchObject({ output: 'ok' });
      expect(lookedUp).toEqual(['rebound.example']);
    });

    it('over a new connection is checked again', async () => {
      const { lookup } = nameService([HERE], [METADATA]);
      const endpoint = `http://rebound.example:${server.port}/`;
      server.answer({ headers: { connection: 'close' }, body: { content: 'ok' } });
      expect(await call(endpoint, {}, lookup)).toMatchObject({ output: 'ok' });
      await server.disconnected();
      expect(await callUnit({ endpoint, transport: transport! })).toMatchObject(
        refusedWith('an address of rebound.example is link-local'),
      );
    });

    it('over an open connection needs no lookup', async () => {
      const { lookup, lookedUp } = nameService([HERE]);
      const endpoint = `http://unit.example:${server.port}/`;
      await call(endpoint, {}, lookup);
      for (let i = 0; i < 20; i += 1) await callUnit({ endpoint, transport: transport! });
      expect(server.requests).toHaveLength(21);
      // Two, because the next call may begin just before the pool has taken the first connection back.
      expect(server.acceptedConnections).toBeLessThanOrEqual(2);
      expect(lookedUp).toHaveLength(server.acceptedConnections);
    });

    it('to a name without an address fails as one that was not found, and is tried again', async () => {
      const { lookup } = nameService([]);
      expect(await call('http://nowhere.example/', {}, lookup)).toMatchObject({
        error: 'network error: host not found',
        retryable: true,
      });
    });

    it('to an allowed name goes to whatever address it has', async () => {
      const { lookup } = nameService([HERE]);
      const allowedAddresses = ['unit.example'];
      expect(await call(`http://unit.example:${server.port}/`, { allowedAddresses }, lookup)).toMatchObject({
        output: 'ok',
      });
    });

    it('to another name goes to allowed networks alone', async () => {
      const { lookup } = nameService([HERE]);
      const endpoint = `http://other.example:${server.port}/`;
      expect(await call(endpoint, { allowedAddresses: ['127.0.0.0/8'] }, lookup)).toMatchObject({
        output: 'ok',
      });
      expect(await call(endpoint, { allowedAddresses: ['10.0.0.0/8'] }, lookup)).toMatchObject(
        refusedWith('an address of other.example is not in FLOWGATE_ALLOWED_ADDRESSES'),
      );
    });

    it('that is refused names neither credentials nor query', async () => {
      const endpoint = 'http://ann:s3cr3t-pw@169.254.169.254/latest?key=k3y-of-ann';
      const result = await call(endpoint);
      expect(result).toMatchObject(refusedWith('the address 169.254.169.254 is link-local'));
      expect(JSON.stringify(result)).not.toMatch(/ann|s3cr3t|k3y|latest/);
    });
  });
});
