import type { Paint } from './paint.js';

/** How a line is meant: what a terminal shows in colours. */
export type Tone = 'plain' | 'good' | 'bad' | 'careful' | 'faint';

const FORMATS = { good: 'green', bad: 'red', careful: 'yellow', faint: 'dim' } as const;

export function inTone(paint: Paint, tone: Tone, text: string): string {
  return tone === 'plain' ? text : paint(FORMATS[tone], text);
}
