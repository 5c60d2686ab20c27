import fc from 'fast-check';
import { idOfCursor } from '../../runtime/streams/event-cursor.js';
import { EventIds } from './event-ids.js';

const encryptionKey = new Uint8Array(32).fill(7);
const cursors = fc.record({
  position: fc.integer({ min: 0, max: 999_999_999_999_999 }),
  seq: fc.integer({ min: 0, max: 999_999_999_999_999 }),
});

it('each id that is shown is read again, by every process with the key', async () => {
  const [one, other] = [new EventIds({ encryptionKey }), new EventIds({ encryptionKey })];
  const [shows, reads] = [await one.in('acme'), await other.in('acme')];
  fc.assert(
    fc.property(cursors, (cursor) => {
      expect(reads.meant(shows.shown(idOfCursor(cursor)))).toBe(idOfCursor(cursor));
    }),
  );
});

it('an id tells nothing, and holds in its namespace alone', async () => {
  const ids = new EventIds({ encryptionKey });
  const [acme, other] = [await ids.in('acme'), await ids.in('other')];
  const id = idOfCursor({ position: 41, seq: 1 });
  expect(acme.shown(id)).toBe(acme.shown(id));
  expect(acme.shown(id)).not.toBe(other.shown(id));
  expect(Buffer.from(acme.shown(id), 'base64url').toString('latin1')).not.toContain('41');
  expect(other.meant(acme.shown(id))).toBeNull();
});

it.each(['', 'x', idOfCursor({ position: 41, seq: 1 }), 'A'.repeat(22), '€'.repeat(22), 'x'.repeat(10_000)])(
  '%j is none that was shown',
  async (text) => {
    expect((await new EventIds({ encryptionKey }).in('acme')).meant(text)).toBeNull();
  },
);

it('without a key of the service they hold in the process alone; a key that cannot be read is read again', async () => {
  const id = idOfCursor({ position: 1, seq: 0 });
  const shown = (await new EventIds({}).in('acme')).shown(id);
  expect((await new EventIds({}).in('acme')).meant(shown)).toBeNull();
  let calls = 0;
  const sharedKey = async (): Promise<Uint8Array> => {
    calls += 1;
    if (calls === 1) throw new Error('no database');
    return encryptionKey;
  };
  const ids = new EventIds({ database: { sharedKey } });
  await expect(ids.in('acme')).rejects.toThrow('no database');
  expect((await ids.in('acme')).shown(id)).toBe((await new EventIds({ encryptionKey }).in('acme')).shown(id));
});
