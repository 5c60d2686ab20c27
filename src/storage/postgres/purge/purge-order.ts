/** A run that may be purged, and the run that it is a fork of. */
export interface EndedRun {
  readonly runId: string;
  readonly forkedFrom: string | null;
}

/** A run that may be purged if all the others of its list are that it keeps, or is kept by. */
export interface JudgedRun extends EndedRun {
  readonly mayGo: boolean;
}

/** Those that go: a run that stays keeps the one that it is a fork of, which keeps the one that that is a fork of, and so on. */
export function withoutKept(judged: readonly JudgedRun[]): readonly EndedRun[] {
  const all = new Map(judged.map((run) => [run.runId, run]));
  const kept = new Set<string>();
  for (const run of judged) {
    if (run.mayGo) continue;
    for (let next: JudgedRun | undefined = run; next !== undefined && !kept.has(next.runId);) {
      kept.add(next.runId);
      next = next.forkedFrom === null ? undefined : all.get(next.forkedFrom);
    }
  }
  return judged.filter(({ runId }) => !kept.has(runId));
}

/**
 * In which order runs go, and which of them do: those that nothing keeps, as they are given, and right after the last of its forks
 * the run that they were forks of, where only they kept it, and so on. At most `limit`: one that is left over comes next time.
 */
export function purgeOrder(
  ended: readonly EndedRun[],
  keptByForks: readonly EndedRun[],
  limit: number,
): readonly string[] {
  const sources = new Map(keptByForks.map((run) => [run.runId, run]));
  const forksOf = new Map<string, number>();
  for (const { forkedFrom } of [...ended, ...keptByForks]) {
    if (forkedFrom !== null) forksOf.set(forkedFrom, (forksOf.get(forkedFrom) ?? 0) + 1);
  }
  const order: string[] = [];
  for (const run of ended) {
    for (let next: EndedRun | undefined = run; next !== undefined && order.length < limit;) {
      const { runId, forkedFrom }: EndedRun = next;
      order.push(runId);
      const left: number = forkedFrom === null ? 1 : (forksOf.get(forkedFrom) ?? 1) - 1;
      if (forkedFrom !== null) forksOf.set(forkedFrom, left);
      next = forkedFrom === null || left > 0 ? undefined : sources.get(forkedFrom);
    }
  }
  return order;
}
