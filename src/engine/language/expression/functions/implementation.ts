import type { CelResult, CelValue } from '@bufbuild/cel';

/**
 * One function of the language, every overload of it. `target` is what stands before the dot of a method
 * call. Undefined leaves the call to the library. It charges for what it reads and builds before it does so,
 * and throws an `EvaluationFault` for arguments that have no value.
 */
export type Implementation = (
  args: readonly CelValue[],
  target: CelValue | undefined,
) => CelResult | undefined;
