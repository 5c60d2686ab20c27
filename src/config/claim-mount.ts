import { hasHttp, type Mount } from './placement.js';

/** The instances of every application, known by the container of its modules. */
const mountsOf = new WeakMap<object, Mount[]>();

/**
 * Throws if another instance in the application already has the name or the prefix: they would silently overwrite
 * each other's providers or routes.
 */
export function claimMount(application: object, mount: Mount): void {
  const others = mountsOf.get(application) ?? [];
  if (others.some(({ name }) => name === mount.name)) {
    throw new Error(
      mount.name === undefined
        ? 'FlowgateModule is set up twice without a name: import one and the same module everywhere (or make it ' +
            'global), or give the second instance a name, as in FlowgateModule.forRoot({ name: "billing" })'
        : `FlowgateModule is set up twice with the name "${mount.name}": give each instance a name of its own`,
    );
  }
  const neighbour = others.find((other) => collide(other, mount));
  if (neighbour !== undefined) {
    throw new Error(
      `Two instances of FlowgateModule, ${called(neighbour)} and ${called(mount)}, have the prefix "${mount.prefix}": ` +
        'give each a prefix of its own, or switch off the paths of one with http: false',
    );
  }
  mountsOf.set(application, [...others, mount]);
}

/** Express does not distinguish case in paths. */
function collide(one: Mount, other: Mount): boolean {
  return hasHttp(one) && hasHttp(other) && one.prefix.toLowerCase() === other.prefix.toLowerCase();
}

function called({ name }: Mount): string {
  return name === undefined ? 'the one without a name' : `"${name}"`;
}
