export function repositoryPagesOf(manifest: { readonly repository?: unknown }): string | null;
