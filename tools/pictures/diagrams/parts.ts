import { columns, middleOf, pictureOf, type Column, type DiagramArrow } from '../drawing/diagram.ts';

const caller = columns(4, { from: 24, to: 712, gap: 12 });
const part = columns(3, { from: 44, to: 692, gap: 16 });
const service = { x: 24, y: 130, width: 688, height: 138 };

const outer = (column: Column, y: number) => ({ ...column, y, height: 66 });
const inner = (column: Column) => ({ ...column, y: 172, height: 80 });

const calls = (from: string, index: number): DiagramArrow => ({
  from: [from, 'bottom'],
  to: { x: middleOf(caller(index)), y: service.y },
});
const uses = (to: string, index: number, label: string): DiagramArrow => ({
  from: { x: middleOf(part(index)), y: service.y + service.height },
  to: [to, 'top'],
  label,
});

/** The service between those who use it, and what it uses. */
export const parts = pictureOf({
  name: 'parts',
  title: 'The parts of Flowgate',
  description:
    'People (in the console), programs (over REST or the command line), AI agents (over MCP) and a NestJS application use Flowgate. It holds workflows, runs and gates. It calls units: your endpoints, or your code in its process. It stores the log of each run in SQLite or PostgreSQL.',
  width: 736,
  height: 408,
  boxes: {
    people: { ...outer(caller(0), 24), title: 'People', lines: ['the console'] },
    programs: { ...outer(caller(1), 24), title: 'Programs', lines: ['REST, command line'] },
    agents: { ...outer(caller(2), 24), title: 'AI agents', lines: ['MCP'] },
    host: { ...outer(caller(3), 24), title: 'Your application', lines: ['a NestJS module'] },
    service: { ...service, kind: 'region', title: 'Flowgate', isAccented: true },
    workflows: { ...inner(part(0)), title: 'Workflows', lines: ['units and their flow,', 'written in YAML'] },
    runs: { ...inner(part(1)), title: 'Runs', lines: ['each a log of events', 'that survives a crash'] },
    gates: { ...inner(part(2)), title: 'Gates', lines: ['where a run waits', 'until a person decides'] },
    endpoints: { ...outer(part(0), 318), title: 'Your endpoints', lines: ['units over HTTP'] },
    code: { ...outer(part(1), 318), title: 'Your code', lines: ['units in the process'] },
    store: { ...outer(part(2), 318), title: 'The store', lines: ['SQLite, or PostgreSQL'] },
  },
  arrows: [
    calls('people', 0),
    calls('programs', 1),
    calls('agents', 2),
    calls('host', 3),
    uses('endpoints', 0, 'calls'),
    uses('code', 1, 'calls'),
    { ...uses('store', 2, 'appends, reads'), heads: 'both' },
  ],
});
