import { columns, middleOf, pictureOf, type Anchor, type DiagramArrow } from '../drawing/diagram.ts';

const way = columns(4, { from: 24, to: 712, gap: 12 });
/** Below the second of those who decide, so that its line is straight. */
const gate = { x: middleOf(way(1)) - 100, y: 124, width: 200, height: 224 };
const outcome = (y: number) => ({ x: 516, y, width: 196, height: 64 });
const outcomes = { yes: outcome(124), no: outcome(204), late: outcome(284) };

const decided = (to: keyof typeof outcomes, label: string): DiagramArrow => {
  const { y, height } = outcomes[to];
  const from: Anchor = ['gate', 'right', (y + height / 2 - gate.y) / gate.height];
  return { from, to: [to, 'left'], label };
};
const decides = (from: string): DiagramArrow => ({ from: [from, 'bottom'], to: ['gate', 'top'], turn: 100 });

/** A step at which a run waits for a person: who decides, and what follows. */
export const gatePicture = pictureOf({
  name: 'gate',
  title: 'A gate',
  description:
    'The unit greet leads to the gate approve, where the run is paused. A person decides in the console, with the command line, over HTTP or in the client of an AI agent. After a yes the run continues. After a no it fails, unless onReject is continue. Without a decision in time, onTimeout says what happens.',
  width: 736,
  height: 372,
  boxes: {
    console: { ...way(0), y: 24, height: 52, title: 'The console' },
    terminal: { ...way(1), y: 24, height: 52, title: 'Command line' },
    http: { ...way(2), y: 24, height: 52, title: 'HTTP' },
    agent: { ...way(3), y: 24, height: 52, title: 'An AI client' },
    greet: { x: 24, y: 210, width: 116, height: 52, title: 'greet' },
    gate: {
      ...gate,
      title: 'approve',
      state: 'gate',
      lines: ['Send “Hello, Ada”?', '', 'The run is paused.'],
    },
    yes: { ...outcomes.yes, title: 'continues', state: 'running', lines: ['with the decision'] },
    no: { ...outcomes.no, title: 'fails', state: 'failed', lines: ['or onReject: continue'] },
    late: { ...outcomes.late, title: 'onTimeout', state: 'waiting', lines: ['reject, approve or fail'] },
  },
  arrows: [
    ...['console', 'terminal', 'http', 'agent'].map(decides),
    { from: ['greet', 'right'], to: ['gate', 'left'] },
    decided('yes', 'yes'),
    decided('no', 'no'),
    decided('late', 'none in time'),
  ],
  notes: [{ x: middleOf(way(0)) + 8, y: 94, text: 'a person decides', font: 'small' }],
});
