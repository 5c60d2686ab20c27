import { createRequire } from 'node:module';
import type { JestEnvironment } from '@jest/environment';
import type { TestResult } from '@jest/test-result';
import type { Config } from '@jest/types';

/** What a test runner of Jest is given; without the function that sends messages to its reporters. */
type File = readonly [Config.GlobalConfig, Config.ProjectConfig, JestEnvironment, unknown, string];

const require = createRequire(import.meta.url);
const { default: run } = require('jest-circus/runner') as {
  readonly default: (...file: File) => Promise<TestResult>;
};

/**
 * Runs the tests of a file, and sends no message for each of them: nine thousand messages between processes are work that no
 * reporter of ours looks at. What became of each test is in the result of its file.
 */
export default function runTests(
  ...[globalConfig, config, environment, runtime, path]: File
): Promise<TestResult> {
  return run(globalConfig, config, environment, runtime, path);
}
