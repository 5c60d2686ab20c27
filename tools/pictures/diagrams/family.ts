import { pictureOf } from '../drawing/diagram.ts';

const lane = (y: number) => ({ x: 24, y, width: 688, height: 108, kind: 'region' }) as const;
const inParent = { y: 68, height: 52 };
const inChild = { y: 252, height: 52 };
const waiting = { ...inParent, x: 268, width: 268 };
const invoice = { ...inChild, x: 280, width: 104 };
const approve = { ...inChild, x: 428, width: 116 };

/** Above which part of the waiting unit something stands. */
const below = ({ x, width }: { readonly x: number; readonly width: number }): number =>
  (x + width / 2 - waiting.x) / waiting.width;

/** A run that starts another one and waits for it. */
export const family = pictureOf({
  name: 'family',
  title: 'A family: a parent run and its child',
  description:
    'The parent run orders calls check, then bill, which starts the child run billing and waits for it. The child calls invoice and waits at the gate approve. Once it has completed, its state is the output of bill, and the parent calls send.',
  width: 736,
  height: 396,
  boxes: {
    parent: { ...lane(24), title: 'Parent run', lines: ['orders'] },
    check: { ...inParent, x: 140, width: 100, title: 'check' },
    bill: { ...waiting, title: 'bill', lines: ['builtin.workflow: waits'] },
    send: { ...inParent, x: 564, width: 116, title: 'send' },
    child: { ...lane(208), title: 'Child run', lines: ['billing'] },
    invoice: { ...invoice, title: 'invoice' },
    approve: { ...approve, title: 'approve', state: 'gate' },
  },
  arrows: [
    { from: ['check', 'right'], to: ['bill', 'left'] },
    { from: ['bill', 'right'], to: ['send', 'left'] },
    { from: ['bill', 'bottom', below(invoice)], to: ['invoice', 'top'], label: 'starts it' },
    { from: ['invoice', 'right'], to: ['approve', 'left'] },
    {
      from: ['approve', 'top'],
      to: ['bill', 'bottom', below(approve)],
      label: 'its state is the output of bill',
    },
  ],
  notes: [
    {
      x: 24,
      y: 346,
      text: 'While the child waits at its gate, and nothing else moves, the parent is paused.',
      colour: 'muted',
    },
    {
      x: 24,
      y: 368,
      text: 'A pause, a resume or a cancel of the parent reaches its children.',
      colour: 'muted',
    },
  ],
});
