// A script in a process of its own that answers questions, one at a time: both ends of it.
import { fork } from 'node:child_process';
import { resolve } from 'node:path';

export interface Child<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * Resolves once the script is ready. One that is not within `withinMs` (absent: it has all the time) is ended, and what it
 * did is lost.
 */
export async function startChild<Question extends object, Answer>(
  script: string,
  args: readonly string[] = [],
  withinMs?: number,
): Promise<Child<Question, Answer>> {
  const child = fork(resolve(script), args, { stdio: 'inherit' });
  const next = (): Promise<Answer> =>
    new Promise((resolveAnswer, reject) => {
      const ended = (code: number | null): void => reject(new Error(`${script} ended with ${code}.`));
      child.once('exit', ended);
      child.once('message', (message) => {
        child.off('exit', ended);
        const { answer, fault } = message as { answer: Answer; fault?: string };
        if (fault === undefined) resolveAnswer(answer);
        else reject(new Error(fault));
      });
    });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    if (child.connected) child.disconnect();
    else child.kill('SIGTERM');
    await ended;
  };
  let isLate = false;
  const late = (): void => {
    isLate = true;
    child.kill('SIGKILL');
  };
  const deadline = withinMs === undefined ? undefined : setTimeout(late, withinMs);
  try {
    await next();
  } catch (error) {
    await stop();
    throw isLate ? new Error(`not ready within ${(withinMs ?? 0) / 1_000} s`) : error;
  } finally {
    clearTimeout(deadline);
  }
  return {
    ask: (question) => {
      const answer = next();
      child.send(question);
      return answer;
    },
    stop,
  };
}

/** The child's end: says that it is ready, answers until its parent disconnects, and then closes what it opened. */
export function answerParent<Question, Answer>(
  answerTo: (question: Question) => Promise<Answer>,
  close: () => Promise<void>,
): void {
  process.on('message', (question: Question) => {
    void answerTo(question).then(
      (answer) => process.send?.({ answer }),
      (error: unknown) => process.send?.({ fault: error instanceof Error ? error.stack : String(error) }),
    );
  });
  process.once('disconnect', () => {
    void close().finally(() => process.exit());
  });
  process.send?.({ answer: 'ready' });
}
