import type { FlowgateClient } from 'flowgate-client';
import { FlowgateApiError } from 'flowgate-client';
import { UsageError } from '../command-errors.js';
import { inCommandWords } from '../command-words.js';
import { followedOnScreen } from '../remote/output/followed.js';
import { showRun } from '../remote/output/shown.js';
import { jsonText, note } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import type { LiveTree } from '../tree/live-tree.js';
import { lastInput } from './last-input.js';

export interface RunsWith {
  readonly client: FlowgateClient;
  readonly server: string;
  readonly signal: AbortSignal;
}

interface ChosenWorkflow {
  readonly workflowId: string;
  readonly file: string;
}

/** The run that somebody asks for by a key, one at a time, and what is written while its tree is on the screen. */
export class DevRun {
  #chosen: ChosenWorkflow | null = null;
  #running: Promise<void> | null = null;
  #tree: LiveTree | null = null;

  constructor(private readonly given: RunsWith) {}

  /** The workflow that was saved last is the one to run. */
  choose(workflow: ChosenWorkflow): void {
    this.#chosen = workflow;
  }

  /** A line that stays, above what moves. It is written as it is: foreign text in it is printable already. */
  say(line: string): void {
    if (this.#tree === null) process.stderr.write(`${line}\n`);
    else void this.#tree.above(line);
  }

  /** Runs the chosen workflow with the last input; not while one runs. */
  async again(): Promise<void> {
    if (this.#running !== null || this.#chosen === null) return;
    this.#running = this.#run(this.#chosen).finally(() => {
      this.#running = null;
      this.#tree = null;
    });
    await this.#running;
  }

  /** Resolves once nothing runs. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(chosen: ChosenWorkflow): Promise<void> {
    const { client, server, signal } = this.given;
    const { workflowId } = chosen;
    try {
      const input = await lastInput(client, chosen, signal);
      note(`${oneLine(workflowId)} with ${oneLine(jsonText(input, false), 200)}`);
      const { runId } = await client.startWorkflow(workflowId, input, { signal });
      const onTree = (tree: LiveTree): void => void (this.#tree = tree);
      const record = await followedOnScreen({ client, workflowId, runId, signal, untilPaused: true, onTree });
      this.#tree = null;
      await showRun(record, { server });
    } catch (error) {
      // Whoever was interrupted is told nothing, and a refusal ends this run alone.
      if (signal.aborted) return;
      if (!(error instanceof FlowgateApiError) && !(error instanceof UsageError)) note(String(error));
      else note(inCommandWords(error.message));
    }
  }
}
