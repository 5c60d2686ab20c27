import { clockCheck } from './clock-check.js';

const NOW = Date.UTC(2026, 10, 22, 12);
const said = (offsetMs: number, tookMs = 100) =>
  clockCheck({ askedAt: NOW, answeredAt: NOW + tookMs, date: new Date(NOW + offsetMs).toUTCString() });

describe('the check of the clock', () => {
  it('allows for the seconds of the header, and for the way', () => {
    expect(said(-900).status).toBe('ok');
    expect(said(4_000).status).toBe('ok');
    expect(said(9_000, 8_000).status).toBe('ok');
  });

  it('says by how much which clock is ahead', () => {
    expect(said(60_000)).toMatchObject({
      status: 'finding',
      message: "The server's clock is 60 s ahead of this one.",
    });
    expect(said(-61_000).message).toBe("The server's clock is 60 s behind this one.");
  });

  it('compares nothing where nobody said the time', () => {
    expect(clockCheck(null).status).toBe('note');
    expect(clockCheck({ askedAt: NOW, answeredAt: NOW, date: 'now' }).status).toBe('note');
  });
});
