/** `flowgate/testing`: runs under a clock that a test moves. For any test runner; needs no Nest. */
import '../node-version-check.js';
export { openTestKit, TestKit } from './test-kit.js';
export type { TestKitOptions } from './test-kit.js';
export { scripted, ScriptedUnit } from './scripted-unit.js';
export type { ScriptedCall } from './scripted-unit.js';
export type { OpenGate, Resume, Stop, TestRun, Verdict, Within } from './test-run.js';
export { expectMessages, expectNoMessage } from './messages.js';
export type { MessagePattern } from './messages.js';
export { RunAssertionError } from './assertion.js';
export { ManualClock } from '../engine/testing/manual-clock.js';
export type { Clock } from '../engine/index.js';
