import type { LaidUnit } from './flow-layout.js';

export type Direction = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

/** Rows are walked along: what is in another row is far to the side, and what is below is near wherever it stands. */
const ASIDE = { ofRow: 4, ofColumn: 0.5 };

/** The unit that an arrow key leads to; null: there is none in that direction. */
export function nearestUnit(
  units: readonly LaidUnit[],
  from: LaidUnit,
  direction: Direction,
): LaidUnit | null {
  const isVertical = direction === 'ArrowUp' || direction === 'ArrowDown';
  const sign = direction === 'ArrowUp' || direction === 'ArrowLeft' ? -1 : 1;
  let nearest: LaidUnit | null = null;
  let least = Infinity;
  for (const unit of units) {
    const [dx, dy] = [middleX(unit) - middleX(from), middleY(unit) - middleY(from)];
    const ahead = sign * (isVertical ? dy : dx);
    const aside = Math.abs(isVertical ? dx : dy);
    if (unit === from || ahead <= 1) continue;
    const distance = ahead + (isVertical ? ASIDE.ofColumn : ASIDE.ofRow) * aside;
    if (distance < least) [nearest, least] = [unit, distance];
  }
  return nearest;
}

const middleX = ({ x, width }: LaidUnit): number => x + width / 2;
const middleY = ({ y, height }: LaidUnit): number => y + height / 2;
