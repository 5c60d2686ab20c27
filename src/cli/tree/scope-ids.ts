/** What an id of a scope says: `<parent>><path of the fan-out>#<index>`; paths never hold `>` or `#`. The root's is empty. */
export interface ScopePlace {
  readonly parent: string;
  /** The fan-out, as `passesKey` names it. */
  readonly fanOut: string;
  readonly index: number;
}

/** Null: the root, or no id of a scope. */
export function placeOfScope(scope: string): ScopePlace | null {
  const at = scope.lastIndexOf('>');
  const hash = scope.lastIndexOf('#');
  if (at === -1 || hash < at) return null;
  return {
    parent: scope.slice(0, at),
    fanOut: scope.slice(0, hash),
    index: Number(scope.slice(hash + 1)),
  };
}

export function fanOutKey(scope: string, path: string): string {
  return `${scope}>${path}`;
}

/** Whether a location lies inside of a node: `path` '' is all of the scope. */
export function isInside(
  { scope, path }: { readonly scope: string; readonly path: string },
  node: { readonly scope: string; readonly path: string },
): boolean {
  if (scope === node.scope) return node.path === '' || path === node.path || path.startsWith(`${node.path}/`);
  if (node.path === '') return scope.startsWith(`${node.scope}>`);
  const inside = fanOutKey(node.scope, node.path);
  return scope.startsWith(`${inside}#`) || scope.startsWith(`${inside}/`);
}
