import type { CelList, CelMap, CelValue } from '@bufbuild/cel';

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

/** For instances of a class that was branded. */
export function asList(list: Iterable<CelValue> & Sized): CelList {
  return list as unknown as CelList;
}

export function asMap(map: Iterable<readonly [unknown, CelValue]> & Sized): CelMap {
  return map as unknown as CelMap;
}

interface Sized {
  readonly size: number;
  get(key: never): CelValue | undefined;
}
