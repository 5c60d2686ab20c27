import { callerIn } from '../../engine/scheduling/caller.js';
import { Uploads, type Upload } from './uploads.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Uploads by name, and the names of those that had to give way. */
function world(maxUploadBytes = 10 * MIB, maxBodyBytes = 8 * MIB) {
  const uploads = new Uploads({ maxUploadBytes, maxBodyBytes });
  const gone: string[] = [];
  const bytes = new Map<Upload, number>();
  const open = (name: string, caller?: string): Upload => uploads.open(() => gone.push(name), caller);
  const send = (upload: Upload, count: number): void => {
    bytes.set(upload, (bytes.get(upload) ?? 0) + count);
    upload.received(count, bytes.get(upload)!);
  };
  return { gone, open, send };
}

describe('when too much is being uploaded', () => {
  it('the one that stalls gives way to the one that continues', () => {
    const { gone, open, send } = world();
    const [honest, stalled] = [open('honest'), open('stalled')];
    send(honest, 100 * KIB);
    send(stalled, 7 * MIB);
    for (let i = 0; i < 79; i++) send(honest, 100 * KIB);
    expect(gone).toEqual(['stalled']);
  });

  it('those that trickle give way, however much they sent at first', () => {
    const { gone, open, send } = world();
    const honest = open('honest');
    const trickles = ['a', 'b', 'c', 'd'].map((name) => open(name));
    for (const upload of trickles) send(upload, 2 * MIB);
    for (let i = 0; i < 100; i++) {
      for (const upload of trickles) send(upload, 100);
      send(honest, 80 * KIB);
    }
    expect(gone).toEqual(['a', 'b', 'c']);
  });

  it('a slow one that continues stays, next to those that come in bursts and stall', () => {
    const { gone, open, send } = world();
    const honest = open('honest');
    for (let i = 0; i < 128; i++) {
      send(honest, 64 * KIB);
      if (i % 4 === 0) send(open('burst'), 1 * MIB);
    }
    expect(new Set(gone)).toEqual(new Set(['burst']));
  });

  it('only as many give way as must', () => {
    const { gone, open, send } = world();
    for (const name of ['a', 'b', 'c', 'd']) send(open(name), 2 * MIB);
    send(open('e'), 5 * MIB);
    expect(gone).toEqual(['a', 'b']);
  });

  it('small bodies are not concerned', () => {
    const { gone, open, send } = world();
    for (let i = 0; i < 200; i++) send(open(`small ${i}`), 64 * KIB);
    for (const name of ['a', 'b', 'c']) send(open(name), 8 * MIB);
    expect(gone).toEqual(['a', 'b']);
  });
});

it('small bodies have a bound of their own, which large ones do not use up', () => {
  const { gone, open, send } = world();
  send(open('large'), 8 * MIB);
  for (let i = 0; i < 300; i++) send(open(`small ${i}`), 64 * KIB);
  expect(gone).toHaveLength(300 - 256);
  expect(gone[0]).toBe('small 0');
});

it('what is complete, broken or gone holds nothing any more', () => {
  const { gone, open, send } = world();
  for (let i = 0; i < 10; i++) {
    const upload = open('closed');
    send(upload, 8 * MIB);
    upload.close();
    upload.close();
    send(upload, MIB);
  }
  send(open('a'), 5 * MIB);
  send(open('b'), 5 * MIB);
  expect(gone).toEqual([]);
});

it('one body of the allowed length always has capacity', () => {
  const { gone, open, send } = world(1 * MIB, 8 * MIB);
  const upload = open('alone');
  for (let i = 0; i < 8; i++) send(upload, MIB);
  expect(gone).toEqual([]);
});

describe('when too much is being uploaded by tenants', () => {
  it('the slowest one of the namespace that holds most gives way, and in it of the owner who does', () => {
    const { gone, open, send } = world();
    const slow = open('of another namespace', callerIn('globex', 'eve'));
    send(slow, 2 * MIB);
    send(open('of another owner', callerIn('acme', 'bob')), 1 * MIB);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) send(open(name, callerIn('acme', 'ann')), 2 * MIB);
    expect(gone).toEqual(['a', 'b', 'c']);
  });

  it('whoever holds less goes on to their fair share, however fast the others are', () => {
    const { gone, open, send } = world();
    const slow = open('slow', callerIn('globex', 'eve'));
    for (let n = 0; n < 40; n += 1) {
      send(slow, 100 * KIB);
      for (const name of ['a', 'b', 'c'])
        send(open(`${name}${n}`, callerIn('acme', `${name}${n % 7}`)), 1 * MIB);
    }
    expect(gone).not.toContain('slow');
    expect(gone.length).toBeGreaterThan(100);
  });
});
