import { startWorker } from '../app/worker.js';
import type { ReaderAnswer, ReaderAnswers, ReaderQuestion } from './reader-messages.js';

let worker: Worker | null = null;
let last = 0;
const waiting = new Map<number, (answer: ReaderAnswer['answer'] | null) => void>();

/** Asks the reader of documents about a text. Null where it cannot be read here: the worker could not be loaded, or ended. */
export function askReader<Wants extends keyof ReaderAnswers>(
  yaml: string,
  wants: Wants,
): Promise<ReaderAnswers[Wants] | null> {
  return new Promise((resolve) => {
    const id = (last += 1);
    waiting.set(id, (answer) => resolve(answer as ReaderAnswers[Wants] | null));
    const question: ReaderQuestion = { id, yaml, wants };
    reader().postMessage(question);
  });
}

/** One reader for all that is read, as long as it lives. */
function reader(): Worker {
  if (worker !== null) return worker;
  worker = startWorker('reader-worker');
  worker.addEventListener('message', ({ data }: MessageEvent<ReaderAnswer>) => {
    waiting.get(data.id)?.(data.answer);
    waiting.delete(data.id);
  });
  worker.addEventListener('error', () => {
    worker = null;
    for (const resolve of waiting.values()) resolve(null);
    waiting.clear();
  });
  return worker;
}
