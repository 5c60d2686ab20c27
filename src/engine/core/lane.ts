/**
 * A run id names its lane: the last byte of the UUIDv7, modulo the number of lanes. So whoever sees an id knows who
 * owns the run, without asking anybody; and a child's id ends as its parent's does, so that they stay together.
 */
const HEX_BYTE = /[0-9a-f]{2}$/;

/** 0 to 255; an id that ends in anything but a byte in lower-case hex is of byte 0. */
export function laneByteOf(runId: string): number {
  const [byte] = HEX_BYTE.exec(runId) ?? [];
  return byte === undefined ? 0 : Number.parseInt(byte, 16);
}

export function laneOf(runId: string, laneCount: number): number {
  return laneByteOf(runId) % laneCount;
}

/** A byte of that lane: of the one that is given as much is kept as the lane leaves free. */
export function byteInLane(byte: number, lane: number, laneCount: number): number {
  const free = Math.floor((255 - lane) / laneCount) + 1;
  return lane + (Math.floor(byte / laneCount) % free) * laneCount;
}

/** The id, with its last byte in that lane. */
export function inLane(runId: string, lane: number, laneCount: number): string {
  return runId.slice(0, -2) + byteInLane(laneByteOf(runId), lane, laneCount).toString(16).padStart(2, '0');
}
