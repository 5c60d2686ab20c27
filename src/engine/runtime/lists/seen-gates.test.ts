import type { GateOpened } from '../../core/waits/events/gate-events.js';
import { SeenGates } from './seen-gates.js';

/** What is shown of each gate is so many characters of JSON; `read` says which gates were read. */
function shownAs(chars: (gateId: number) => number, most: { gates: number; chars: number }) {
  const read: number[] = [];
  const opened = async (_runId: string, gates: readonly { readonly gateId: number }[]) => {
    read.push(...gates.map(({ gateId }) => gateId));
    return new Map(gates.map(({ gateId }) => [gateId, { seq: gateId, at: 1 } as GateOpened]));
  };
  const seen = new SeenGates({ opened }, ({ seq }) => 'x'.repeat(chars(seq) - 2), most);
  const show = async (...gateIds: number[]) => {
    for (const gateId of gateIds) await seen.shown('r', [{ gateId, openedAt: 1 }]);
    return read.splice(0);
  };
  return { show };
}

describe('what was shown of gates', () => {
  it('is read once while it is kept, and those go first that were requested longest ago', async () => {
    const { show } = shownAs(() => 10, { gates: 2, chars: 1_000 });
    expect(await show(1, 2, 1, 3)).toEqual([1, 2, 3]);
    expect(await show(1, 3)).toEqual([]);
    expect(await show(2)).toEqual([2]);
  });

  it('is kept up to so many characters in all, whatever is requested how often', async () => {
    const { show } = shownAs((gateId) => (gateId === 9 ? 25 : 10), { gates: 100, chars: 30 });
    expect(await show(1, 2, 3, 1, 1, 2, 3)).toEqual([1, 2, 3]);
    expect(await show(4, 2, 3)).toEqual([4]);
    expect(await show(9, 9, 3)).toEqual([9, 3]);
  });

  it('is not kept where it alone is more than that, and is shown all the same', async () => {
    const { show } = shownAs(() => 31, { gates: 100, chars: 30 });
    expect(await show(1, 1)).toEqual([1, 1]);
  });
});
