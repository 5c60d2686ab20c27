import { contractsIn } from './contracts-in.js';
import type { DriverUnderTest, RunDriverHarness, SecondProcess } from './run-driver/support/contract.js';

const contracts = await contractsIn<RunDriverHarness>(new URL('./run-driver/', import.meta.url));

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

    for (const { name: behaviour, register } of contracts) describe(behaviour, () => register(harness));
  });
}
