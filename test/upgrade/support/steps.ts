import type { RunRecord } from '../../../src/engine/index.js';
import type { StillClock } from './clock.ts';
import type { Address, FolderEngine } from './engine.ts';
import type { Nth, Step } from './manifest.ts';

/** Takes one step, and answers with the run as it stopped after it. */
export async function take(
  engine: FolderEngine,
  clock: StillClock,
  address: Address,
  step: Step,
): Promise<RunRecord> {
  const { workflowId } = address;
  switch (step.do) {
    case 'start-again':
      return engine.start({ workflowId, input: step.input, idempotencyKey: step.idempotencyKey });
    case 'resume': {
      const snapshotId = step.to === undefined ? undefined : await checkpoint(engine, address, step.to);
      return engine.resume({ ...address, snapshotId, idempotencyKey: step.idempotencyKey });
    }
    case 'decide': {
      const { approved, idempotencyKey } = step;
      const gateId = step.gate === undefined ? undefined : await gate(engine, address, step.gate);
      return engine.respond({ ...address, approved, responder: 'ann', gateId, idempotencyKey });
    }
    case 'watch':
      return stopped(engine, clock, address);
    case 'wait': {
      const dueInMs = Math.max(0, (await retryAt(engine, address)) - clock.now());
      if (step.until === 'the-retry') {
        // No further: a unit that is called then, over a real network, must not time out.
        await clock.pass(dueInMs);
        return stopped(engine, clock, address);
      }
      await clock.pass(dueInMs - 1);
      // Nothing is to happen, so nothing says that it did not: what would happen takes far less.
      await new Promise((resolve) => setTimeout(resolve, 60));
      return engine.record(address);
    }
  }
}

async function gate(engine: FolderEngine, address: Address, [unitId, nth]: Nth): Promise<number> {
  const gates: number[] = [];
  for (const message of await engine.messages(address)) {
    if (message.type === 'hitl-request' && message.unitId === unitId) gates.push(message.gateId);
  }
  return known(gates[nth], `gate ${nth} of ${unitId}`);
}

async function retryAt(engine: FolderEngine, address: Address): Promise<number> {
  const instants: number[] = [];
  for (const message of await engine.messages(address)) {
    if (message.type === 'unit-retry') instants.push(message.timestamp + message.delayMs);
  }
  return known(instants.at(-1), 'retry');
}

async function checkpoint(engine: FolderEngine, address: Address, [unitId, nth]: Nth): Promise<string> {
  const all = await engine.snapshots(address);
  const ofUnit = all.filter((snapshot) => snapshot.unitId === unitId && snapshot.after === 'unit-finished');
  return known(ofUnit[nth]?.snapshotId, `checkpoint ${nth} of ${unitId}`);
}

async function stopped(engine: FolderEngine, clock: StillClock, address: Address): Promise<RunRecord> {
  for (;;) {
    const record = await engine.record(address);
    if (record.status !== 'running') return record;
    // Its units answer at once, so what is waited for is the store's own thread, and what is due when that answered.
    await clock.pass(0);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`There is no ${what}.`);
  return value;
}
