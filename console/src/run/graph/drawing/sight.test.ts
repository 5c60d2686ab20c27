import type { LaidUnit } from '../flow-layout.js';
import { fittingZoom, isSeen, revealing, unitAt, zoomedTo } from './sight.js';

const camera = { left: 1_000, top: 500, width: 800, height: 400, zoom: 1 };
const box = { x: 1_100, y: 600, width: 208, height: 48 };
const unit = (x: number): LaidUnit => ({
  ...box,
  x,
  node: { path: `/at/${x}`, type: 'unit', unitId: `at-${x}`, parts: [], note: null },
});

describe('what is in view', () => {
  it('is what lies within it, and what a scroll would show next', () => {
    expect(isSeen(box, camera)).toBe(true);
    expect(isSeen({ ...box, x: 1_950 }, camera)).toBe(true);
    expect(isSeen({ ...box, x: 2_001 }, camera)).toBe(false);
    expect(isSeen({ ...box, y: 250 }, camera)).toBe(false);
  });

  it('depends on how large it is shown', () => {
    const far = { ...box, x: 3_000, y: 1_300 };
    expect(isSeen(far, camera)).toBe(false);
    expect(isSeen(far, { ...camera, zoom: 0.5 })).toBe(true);
  });
});

describe('the view', () => {
  it('moves no further than it takes to show a box, and not at all where it is shown', () => {
    expect(revealing(box, camera)).toEqual({ left: 1_000, top: 500 });
    expect(revealing({ ...box, x: 1_700 }, camera)).toEqual({ left: 1_140, top: 500 });
    expect(revealing({ ...box, y: 100 }, camera)).toEqual({ left: 1_000, top: 68 });
  });

  it('keeps its middle at another size', () => {
    const zoomed = zoomedTo(0.5, camera);
    expect((zoomed.left + camera.width / 2) / 0.5).toBe(camera.left + camera.width / 2);
    expect((zoomed.top + camera.height / 2) / 0.5).toBe(camera.top + camera.height / 2);
  });

  it('shows all at the largest size at which it fits, and at the smallest where it never does', () => {
    expect(fittingZoom([0.1, 0.5, 1], { width: 1_500, height: 700 }, camera)).toBe(1);
    expect(fittingZoom([0.1, 0.5, 1], { width: 100, height: 100 }, camera)).toBe(2);
    expect(fittingZoom([0.1, 0.5, 1], { width: 90_000, height: 100 }, camera)).toBe(0);
  });
});

describe('who points at the drawing', () => {
  const units = [unit(0), unit(232)];
  it('points at the unit that is there, or right next to it', () => {
    expect(unitAt(units, { x: 300, y: 620 }, 0.25)?.node.unitId).toBe('at-232');
    expect(unitAt(units, { x: 212, y: 620 }, 0.25)?.node.unitId).toBe('at-0');
  });

  it('points at nothing where nothing is near', () => {
    expect(unitAt(units, { x: 300, y: 900 }, 0.25)).toBeNull();
    expect(unitAt(units, { x: 300, y: 670 }, 1)).toBeNull();
  });
});
