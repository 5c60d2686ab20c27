import { hasHttp, type Place } from './placement.js';

/** The instances of every application, known by the container of its modules. */
const placesOf = new WeakMap<object, Place[]>();

/**
 * Throws when another instance in the application has the name or the prefix already: they would overwrite each other's
 * providers or routes, and nobody would see it.
 */
export function claimPlace(application: object, place: Place): void {
  const others = placesOf.get(application) ?? [];
  if (others.some(({ name }) => name === place.name)) {
    throw new Error(
      place.name === undefined
        ? 'FlowgateModule is set up twice without a name: import one and the same module everywhere (or make it ' +
            'global), or give the second instance a name, as in FlowgateModule.forRoot({ name: "billing" })'
        : `FlowgateModule is set up twice with the name "${place.name}": give each instance a name of its own`,
    );
  }
  const neighbour = others.find((other) => collide(other, place));
  if (neighbour !== undefined) {
    throw new Error(
      `Two instances of FlowgateModule, ${called(neighbour)} and ${called(place)}, have the prefix "${place.prefix}": ` +
        'give each a prefix of its own, or switch off the paths of one with http: false',
    );
  }
  placesOf.set(application, [...others, place]);
}

/** Express tells no capitals from small letters. */
function collide(one: Place, other: Place): boolean {
  return hasHttp(one) && hasHttp(other) && one.prefix.toLowerCase() === other.prefix.toLowerCase();
}

function called({ name }: Place): string {
  return name === undefined ? 'the one without a name' : `"${name}"`;
}
