import type { FlowgateClient, RunItem, RunRecord } from 'flowgate-client';
import { runAddress } from './run-address.js';

const ID = '01a21989-f018-7497-8ff1-4356f45e4c41';
const OTHER = '01a21989-f018-7497-8ff1-0000f45e4c41';
const item = (runId: string, workflowId = 'hello'): RunItem =>
  ({ runId, workflowId, status: 'paused', createdAt: Date.now() }) as RunItem;

/** A server with these runs, the newest first; `read` counts what was read of the list. */
function serverWith(items: readonly RunItem[]) {
  const seen = { read: 0, workflowId: undefined as string | undefined };
  const client = {
    async *eachRun({ workflowId }: { workflowId?: string }) {
      seen.workflowId = workflowId;
      for (const one of items) {
        seen.read += 1;
        yield one;
      }
    },
    getRunById: (runId: string) => {
      const found = items.find((one) => one.runId === runId);
      if (found === undefined) throw new Error(`Unknown run: ${runId}`);
      return Promise.resolve(found as unknown as RunRecord);
    },
  } as unknown as FlowgateClient;
  return { client, seen };
}
const { signal } = new AbortController();

describe('a run on the command line', () => {
  it('is named by its workflow and its id, and nobody is asked', async () => {
    const { client, seen } = serverWith([]);
    expect(await runAddress(client, { workflowId: 'w', runId: 'r' }, signal)).toEqual({
      workflowId: 'w',
      runId: 'r',
    });
    expect(seen.read).toBe(0);
  });

  it('is named by its id alone', async () => {
    const { client } = serverWith([item(ID)]);
    expect(await runAddress(client, { runId: ID }, signal)).toEqual({ workflowId: 'hello', runId: ID });
  });

  it.each(['f45e4c41', 'F45E4C41'])('is named by the end of its id: %s', async (runId) => {
    const { client, seen } = serverWith([item('01a21989-f018-7497-8ff1-4356aaaaaaaa'), item(ID)]);
    expect(await runAddress(client, { runId }, signal)).toEqual({ workflowId: 'hello', runId: ID });
    expect(seen.workflowId).toBeUndefined();
    await runAddress(client, { workflowId: 'hello', runId }, signal);
    expect(seen.workflowId).toBe('hello');
  });

  it('is not guessed where several end so: they are listed', async () => {
    const { client } = serverWith([item(ID), item(OTHER, 'evil\u001b[2J')]);
    await expect(runAddress(client, { runId: 'f45e4c41' }, signal)).rejects.toThrow(
      new RegExp(`^2 runs end with f45e4c41: name one[^]*${ID}[^]*${OTHER} {2}evil\uFFFD\\[2J {2}paused`),
    );
  });

  it('is looked for among the newest 1,000 alone', async () => {
    const many = Array.from({ length: 1_000 }, () => item('01a21989-f018-7497-8ff1-4356aaaaaaab'));
    const { client, seen } = serverWith([...many, item(ID)]);
    await expect(runAddress(client, { runId: 'f45e4c41' }, signal)).rejects.toThrow('Unknown run: f45e4c41');
    expect(seen.read).toBe(1_000);
  });

  it.each(['hello', '', `${ID}0`])('is not asked for by one word that can be none: %j', async (runId) => {
    const { client, seen } = serverWith([item(ID)]);
    await expect(runAddress(client, { runId }, signal)).rejects.toThrow('is no id of a run');
    expect(seen.read).toBe(0);
  });

  it('whose name may be an ending and is none is asked for as it is', async () => {
    const { client } = serverWith([]);
    expect(await runAddress(client, { workflowId: 'w', runId: 'deadbeef' }, signal)).toEqual({
      workflowId: 'w',
      runId: 'deadbeef',
    });
  });
});
