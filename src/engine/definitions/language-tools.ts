interface LanguageTools {
  readonly documents: typeof import('./compile-document.js');
  readonly plans: typeof import('./plan-text.js');
  readonly inputs: typeof import('../language/input/input-schema.js');
}

let loading: Promise<LanguageTools> | null = null;
let loaded: LanguageTools | null = null;

/**
 * What compiles documents, reads plans and checks inputs. With the parser of YAML, that of expressions and the checker of
 * schemas these are a quarter of all source files, and nobody needs them before the first workflow: a process that
 * starts does not wait for them.
 */
export function languageTools(): Promise<LanguageTools> {
  return (loading ??= load());
}

async function load(): Promise<LanguageTools> {
  const [documents, plans, inputs] = await Promise.all([
    import('./compile-document.js'),
    import('./plan-text.js'),
    import('../language/input/input-schema.js'),
  ]);
  loaded = { documents, plans, inputs };
  return loaded;
}

/** Null before they were first asked for. */
export function languageToolsAtHand(): LanguageTools | null {
  return loaded;
}
