import { columns, pictureOf } from '../drawing/diagram.ts';

const cell = columns(6, { from: 40, to: 696, gap: 6 });
const inLog = (index: number) => ({ ...cell(index), y: 66, height: 56 });
const inFork = (index: number) => ({ ...cell(index), y: 278, height: 56 });
const base = { x: cell(0).x, width: cell(2).x + cell(2).width - cell(0).x, y: 278, height: 56 };
/** Left of the middle of the third event, where the rewind ends. */
const LEFT = 0.2;

/** What a rewind and a fork do with the events of a run. */
export const log = pictureOf({
  name: 'log',
  title: 'A log, a rewind and a fork',
  description:
    'A run is six events: started, unit called, it answered, gate opened, decided, completed. A rewind takes the same run back to the checkpoint after the third event. A fork is a new run: it reads the first three events of the other run, and has the events after them for itself.',
  width: 736,
  height: 376,
  boxes: {
    run: { x: 24, y: 24, width: 688, height: 152, kind: 'region', title: 'The log of a run' },
    started: { ...inLog(0), title: '1', lines: ['started'] },
    called: { ...inLog(1), title: '2', lines: ['unit called'] },
    answered: { ...inLog(2), title: '3', lines: ['it answered'] },
    opened: { ...inLog(3), title: '4', lines: ['gate opened'] },
    decided: { ...inLog(4), title: '5', lines: ['decided'] },
    completed: { ...inLog(5), title: '6', lines: ['completed'] },
    fork: {
      x: 24,
      y: 236,
      width: 688,
      height: 116,
      kind: 'region',
      title: 'A fork: a new run',
    },
    base: { ...base, title: '1 to 3', lines: ['those of the other run'], isDashed: true },
    reopened: { ...inFork(3), title: '4', lines: ['gate opened'], isAccented: true },
    again: { ...inFork(4), title: '5', lines: ['decided'], isAccented: true },
    ended: { ...inFork(5), title: '6', lines: ['completed'], isAccented: true },
  },
  arrows: [
    {
      from: ['completed', 'bottom'],
      to: ['answered', 'bottom'],
      turn: 158,
      label: 'rewind: back to the checkpoint after event 3',
    },
    {
      from: ['answered', 'bottom', LEFT],
      to: ['base', 'top', (cell(2).x + cell(2).width * LEFT - base.x) / base.width],
      label: 'is read, never copied',
      isDashed: true,
    },
  ],
});
