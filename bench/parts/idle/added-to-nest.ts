import type { NestKind } from '../../contenders/nest-start.ts';
import { startChild } from '../../support/child.ts';
import type { Effort } from '../../support/part.ts';
import type { Quantity } from '../../support/results.ts';
import { figureOf } from '../../support/statistics.ts';

const KINDS: readonly NestKind[] = ['empty', 'flowgate'];

/** How much later a Nest application listens that imports Flowgate, each time in fresh processes, in alternating order. */
export async function addedToNest({ rounds }: Effort): Promise<readonly Quantity[]> {
  // The first of each kind reads its files from the disk.
  for (const kind of KINDS) await startMs(kind);
  const empty: number[] = [];
  const added: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const took: Record<NestKind, number> = { empty: 0, flowgate: 0 };
    for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) took[kind] = await startMs(kind);
    empty.push(took.empty);
    added.push(took.flowgate - took.empty);
  }
  return [
    { id: 'nest-start', title: 'Start of an empty Nest application', unit: 'ms', value: figureOf(empty) },
    { id: 'nest-added', title: 'What FlowgateModule adds to that', unit: 'ms', value: figureOf(added) },
  ];
}

async function startMs(kind: NestKind): Promise<number> {
  const application = await startChild<object, number>('bench/contenders/nest-start.ts', [kind]);
  try {
    return await application.ask({});
  } finally {
    await application.stop();
  }
}
