import type { CelList, CelMap } from '@bufbuild/cel';

// The library takes any object with these registered symbols for a list or a map. Its own lists and maps
// convert plain objects at each access, trip over keys such as `constructor`, take null for missing and
// nest with every concatenation: so every list and map of an evaluation is one of ours.
const LIST = Symbol.for('@bufbuild/cel/list');
const MAP = Symbol.for('@bufbuild/cel/map');

/** A class's instances count as CEL lists (or maps) from here on. */
export function brandAsList(prototype: object): void {
  Object.defineProperty(prototype, LIST, { value: true });
}

export function brandAsMap(prototype: object): void {
  Object.defineProperty(prototype, MAP, { value: true });
}

export type ListShape = Omit<CelList, symbol> & Iterable<unknown>;
export type MapShape = Omit<CelMap, symbol> & Iterable<unknown>;

export function asList(list: ListShape): CelList {
  return list as unknown as CelList;
}

export function asMap(map: MapShape): CelMap {
  return map as unknown as CelMap;
}
