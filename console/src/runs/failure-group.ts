import type { RunItem } from 'flowgate-client/remote';

/** Failed runs that look alike. */
export interface FailureGroup {
  readonly workflowId: string;
  /** Their errors without what differs from run to run. */
  readonly error: string;
  readonly runIds: readonly string[];
}

/** At 3 a.m. it matters which few things broke, not which thousand runs. The largest group comes first. */
export function failureGroups(runs: readonly RunItem[]): readonly FailureGroup[] {
  const groups = new Map<string, { workflowId: string; error: string; runIds: string[] }>();
  for (const { status, cancelled, error, workflowId, runId } of runs) {
    if (status !== 'failed' || cancelled || error === null) continue;
    const alike = withoutParticulars(error);
    const key = JSON.stringify([workflowId, alike]);
    const group = groups.get(key) ?? { workflowId, error: alike, runIds: [] };
    groups.set(key, group);
    group.runIds.push(runId);
  }
  return [...groups.values()].toSorted((a, b) => b.runIds.length - a.runIds.length);
}

/** Ids, numbers and quoted values are what makes two faults of one kind differ. */
function withoutParticulars(error: string): string {
  return error
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{18,}\b/gi, '…')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{16,}\b/gi, '…')
    .replace(/\d{4,}/g, '…');
}
