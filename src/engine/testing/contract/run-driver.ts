import { readdirSync } from 'node:fs';
import type { DriverUnderTest, RunDriverContract, SecondProcess } from './run-driver/support/contract.js';

/** Each file of the folder checks one behaviour; a file that is added is run without a list to keep. */
const contracts = await Promise.all(
  readdirSync(new URL('./run-driver/', import.meta.url))
    .filter((file) => /^[a-z-]+\.[tj]s$/.test(file))
    .map(async (file) => {
      const module: { readonly default: RunDriverContract } = await import(`./run-driver/${file}`);
      return { behaviour: file.replace(/\.[tj]s$/, ''), contract: module.default };
    }),
);

/**
 * Registers the tests that every adapter of `RunDriver` must pass. Call it at the top level of a test file.
 * `hasSecond`: `create` makes the drivers of two processes. `dispose` runs after they were stopped.
 */
export function runRunDriverContract(
  name: string,
  { hasSecond, create }: { readonly hasSecond: boolean; readonly create: () => Promise<DriverUnderTest> },
): void {
  describe(`${name}: the contract of RunDriver`, () => {
    let current: DriverUnderTest | null = null;
    const harness = {
      hasSecond,
      get current(): DriverUnderTest {
        if (current === null) throw new Error('The driver exists only while a test runs');
        return current;
      },
      get second(): SecondProcess {
        if (harness.current.second === null) throw new Error('This driver is for a process that is alone');
        return harness.current.second;
      },
    };

    beforeEach(async () => {
      current = await create();
    });

    afterEach(async () => {
      await current?.driver.stop();
      await current?.second?.driver.stop();
      await current?.dispose();
      current = null;
    });

    for (const { behaviour, contract } of contracts) describe(behaviour, () => contract(harness));
  });
}
