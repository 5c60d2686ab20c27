import { anonymous, identified } from '../engine/index.js';
import { isOwnGate } from './own-gates.js';

const [ann, bob] = [identified('mcp', 'ann'), identified('mcp', 'bob')];
const somebody = anonymous('mcp');

it.each([
  ['the same person', ann, ann, true],
  ['another person', ann, bob, false],
  ['nobody known, of a run of nobody known', somebody, somebody, true],
  ['nobody known, who claims a name', somebody, anonymous('mcp', 'the CEO'), true],
  ['nobody known, of a run of a person', ann, somebody, true],
  ['a person, of a run of nobody known', somebody, bob, true],
  ['the same person over HTTP', ann, identified('http', 'ann'), false],
  ['nobody known over HTTP', somebody, anonymous('http'), false],
  ['code of this process', somebody, anonymous('in-process'), false],
  ['a person, of a run that they started over HTTP', identified('http', 'ann'), ann, false],
  ['anybody, of a run from before that was recorded', anonymous('unknown'), somebody, false],
])('%s decides: at a gate of their own, for all one knows? %#', (_who, starter, decider, isOwn) => {
  expect(isOwnGate(starter, decider)).toBe(isOwn);
});
