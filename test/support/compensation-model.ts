import type { RunEvent } from '../../src/engine/core/log/event.js';
import type { Plan } from '../../src/engine/core/plan/plan.js';

/** A call that can be undone; one that was made again under the same key is the same call. */
interface Call {
  readonly unitId: string;
  at: string;
  doneSeq: number | null;
  /** The run went back while it was open: from then on, nobody hears what it did. */
  leftSeq: number | null;
  /** It may have been done: it failed so, or was broken off in its first attempt. `maybe`: the log does not say. */
  isUnknown: boolean | 'maybe';
  ends: number;
}

interface Open {
  /** By location, when a try or a race was entered, and whether the body of the try still runs. */
  readonly entered: ReadonlyMap<string, { readonly seq: number; readonly inBody: boolean }>;
  /** By scope, what is being undone: where, and the calls so far. */
  readonly undoing: ReadonlyMap<string, { readonly path: string; readonly keys: readonly number[] }>;
  readonly isCancelling: boolean;
}

/**
 * Who should be undone, read from the log alone: what is wrong with it. Each call that was done inside of what fails is undone, once,
 * the last one first, before what follows; nothing else is.
 */
export function faultsOfUndoing(plan: Plan, log: readonly RunEvent[]): readonly string[] {
  const faults: string[] = [];
  const calls = new Map<number, Call>();
  const keys = new Map<number, number>();
  const undoes = new Map<number, number>();
  const history: Open[] = [{ entered: new Map(), undoing: new Map(), isCancelling: false }];
  let { entered, undoing, isCancelling } = history[0]!;
  // The shell refuses to go back to where a run was being cancelled: it would be cleaned up after twice.
  let isCleanedUpAgain = false;
  const isOpen = (seq: number): boolean =>
    !log.some(
      (one) => (one.type === 'unit-finished' || one.type === 'unit-failed') && one.executionId === seq,
    );

  const expectUndone = (what: string, since: number, isInside: (at: string) => boolean): void => {
    for (const [key, { unitId, at, doneSeq, leftSeq, isUnknown, ends }] of calls) {
      const isMeant =
        doneSeq === null ? isUnknown === true && plan.units.get(unitId)?.compensate?.onUnknown : true;
      if (isMeant === true && (doneSeq ?? leftSeq ?? Infinity) > since && isInside(at) && ends === 0)
        faults.push(`${what}: ${unitId} (${key}) was done, and not undone`);
    }
  };
  const inside = (location: string) => (at: string) =>
    at.startsWith(`${location}/`) || at.startsWith(`${location}#`);
  const compensates = (path: string): boolean => {
    const node = plan.nodes.get(path);
    return (node?.type === 'try' || node?.type === 'race') && node.compensates;
  };
  const bodyFailed = (event: RunEvent & { readonly path: string; readonly scope: string }): void => {
    const location = `${event.scope}>${event.path}`;
    const open = entered.get(location);
    if (open?.inBody !== true || !compensates(event.path)) return;
    expectUndone(`${event.seq} ${event.type} ${location}`, open.seq, inside(location));
  };
  const enter = (location: string, seq: number, inBody: boolean): void => {
    entered = new Map([...entered, [location, { seq, inBody }]]);
  };

  for (const event of log) {
    const { seq } = event;
    switch (event.type) {
      case 'try-entered':
      case 'race-entered':
        enter(`${event.scope}>${event.path}`, seq, true);
        break;
      case 'failure-caught':
        bodyFailed(event);
        enter(`${event.scope}>${event.path}`, seq, false);
        break;
      case 'finally-begun':
      case 'try-left':
        if (event.exit.kind === 'fail') bodyFailed(event);
        enter(`${event.scope}>${event.path}`, seq, false);
        break;
      case 'node-closed': {
        const location = `${event.scope}>${event.path}`;
        if (event.winner === undefined || !compensates(event.path)) break;
        const isWinner = (at: string): boolean => at.startsWith(`${location}#${event.winner}>`);
        const since = entered.get(location)?.seq ?? 0;
        expectUndone(`${seq} race ${location}`, since, (at) => inside(location)(at) && !isWinner(at));
        break;
      }
      case 'run-failed':
        if (plan.compensateOn.failure) expectUndone(`${seq} run-failed`, 0, () => true);
        break;
      case 'cancel-requested':
        isCancelling = true;
        break;
      case 'run-cancelled':
        if (plan.compensateOn.cancel && !isCleanedUpAgain)
          expectUndone(`${seq} run-cancelled`, 0, () => true);
        break;
      case 'unit-scheduled': {
        const key = event.key ?? seq;
        if (event.compensable !== undefined) {
          keys.set(seq, key);
          const at = `${event.scope}>${event.path}`;
          const known = calls.get(key);
          if (known === undefined) {
            const { unitId } = event;
            calls.set(key, { unitId, at, doneSeq: null, leftSeq: null, isUnknown: isOpen(seq), ends: 0 });
          } else Object.assign(known, { at, leftSeq: null });
        }
        if (event.compensates === undefined) break;
        const ofKey = keys.get(event.compensates) ?? -1;
        const call = calls.get(ofKey);
        const block = undoing.get(event.scope);
        const isMeant = call !== undefined && (call.doneSeq !== null || call.isUnknown !== false);
        if (!isMeant || call.ends > 0 || key !== ofKey) faults.push(`${seq} undoes ${ofKey} once too often`);
        if (block === undefined) faults.push(`${seq} undoes ${ofKey}, and nothing closes there`);
        if (call === undefined || block === undefined) break;
        const [last] = block.keys.slice(-1).map((before) => calls.get(before)?.doneSeq ?? null);
        if (last !== undefined && last !== null && call.doneSeq !== null && last < call.doneSeq)
          faults.push(`${seq} undoes ${ofKey} after one that was done before it`);
        if (block.path !== '' && !inside(`${event.scope}>${block.path}`)(call.at))
          faults.push(`${seq} undoes ${ofKey}, which is not inside`);
        undoing = new Map([
          ...undoing,
          [event.scope, { ...block, keys: [...block.keys.filter((one) => one !== ofKey), ofKey] }],
        ]);
        undoes.set(seq, ofKey);
        break;
      }
      case 'unit-finished':
      case 'unit-failed': {
        const call = calls.get(keys.get(event.executionId) ?? -1);
        const isDone = event.type === 'unit-finished';
        if (call !== undefined && isDone) call.doneSeq = seq;
        if (call !== undefined && !isDone) call.isUnknown = event.outcome === 'unknown';
        const undone = calls.get(undoes.get(event.executionId) ?? -1);
        if (undone !== undefined && isDone) undone.ends += 1;
        break;
      }
      case 'unit-attempt-failed':
      case 'paused': {
        const call = event.executionId === null ? undefined : calls.get(keys.get(event.executionId) ?? -1);
        if (call !== undefined && isOpen(event.executionId ?? 0)) call.isUnknown = 'maybe';
        break;
      }
      case 'compensation-started':
        if (
          event.path === ''
            ? !plan.compensateOn.failure && !plan.compensateOn.cancel
            : !compensates(event.path)
        )
          faults.push(`${seq} undoes what nobody asked it to at ${event.path}`);
        undoing = new Map([...undoing, [event.scope, { path: event.path, keys: [] }]]);
        break;
      case 'compensation-failed': {
        const call = calls.get(keys.get(event.executionId) ?? -1);
        if (call !== undefined) call.ends += 1;
        break;
      }
      case 'compensation-finished':
        undoing = new Map([...undoing].filter(([scope]) => scope !== event.scope));
        break;
      case 'rewound':
        ({ entered, undoing, isCancelling } = history[event.toSeq]!);
        isCleanedUpAgain = isCancelling;
        for (const call of calls.values()) if (call.doneSeq === null) call.leftSeq ??= seq;
        // What was done since, and left behind, may be undone there as well.
        undoing = new Map([...undoing].map(([scope, { path }]) => [scope, { path, keys: [] }]));
        break;
    }
    if (event.type.startsWith('run-') && event.type !== 'run-started' && event.type !== 'run-forked')
      if (undoing.size > 0) faults.push(`${seq} ${event.type} while something is being undone`);
    history.push({ entered, undoing, isCancelling });
  }
  return faults;
}
