import type { Paint } from './paint.js';

/** The meaning of a line, which a terminal shows as a colour. */
export type Tone = 'plain' | 'good' | 'bad' | 'careful' | 'faint';

const FORMATS = { good: 'green', bad: 'red', careful: 'yellow', faint: 'dim' } as const;

export function inTone(paint: Paint, tone: Tone, text: string): string {
  return tone === 'plain' ? text : paint(FORMATS[tone], text);
}
