import { pictureOf, type Anchor } from '../drawing/diagram.ts';

const running = { x: 112, y: 36, width: 128, height: 244 };
const stopped = (y: number) => ({ x: 552, y, width: 160, height: 68 });
const boxes = {
  running: { ...running, title: 'running', state: 'running' },
  paused: { ...stopped(36), title: 'paused', state: 'paused' },
  completed: { ...stopped(124), title: 'completed', state: 'completed' },
  failed: { ...stopped(212), title: 'failed', state: 'failed' },
} as const;

/** The same height on both sides, so that the line is level. */
const fromRunning = (y: number): Anchor => ['running', 'right', (y - running.y) / running.height];
const onTheRight = (box: 'paused' | 'completed' | 'failed', y: number): Anchor => [
  box,
  'left',
  (y - boxes[box].y) / boxes[box].height,
];

/** The four statuses of a run, and what leads from one to another. */
export const runLife = pictureOf({
  name: 'run-life',
  title: 'The life of a run',
  description:
    'A start makes a run that is running. A gate, a pause or a used-up budget makes it paused; a decision or a resume makes it running again. At the end of the flow it is completed. A failure that nothing catches, or a cancel, makes it failed. A resume makes a failed run running again, unless it was cancelled.',
  width: 736,
  height: 316,
  boxes,
  arrows: [
    { from: { x: 36, y: 158 }, to: ['running', 'left'], label: 'start' },
    { from: fromRunning(58), to: onTheRight('paused', 58), label: 'a gate, a pause, a used-up budget' },
    { from: onTheRight('paused', 90), to: fromRunning(90), label: 'a decision, a resume', colour: 'running' },
    { from: fromRunning(158), to: onTheRight('completed', 158), label: 'the end of the flow' },
    {
      from: fromRunning(234),
      to: onTheRight('failed', 234),
      label: 'a failure that nothing catches, a cancel',
    },
    {
      from: onTheRight('failed', 266),
      to: fromRunning(266),
      label: 'a resume, unless it was cancelled',
      colour: 'running',
    },
  ],
});
