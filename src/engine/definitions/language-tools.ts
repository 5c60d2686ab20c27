type LanguageTools = Awaited<ReturnType<typeof load>>;

let loading: Promise<LanguageTools> | null = null;
let loaded: LanguageTools | null = null;

/**
 * The functions that compile documents, read plans and check inputs. With the parsers of YAML and of expressions and the
 * checker of schemas they are a quarter of all source files. Nothing needs them before the first workflow, so a process that
 * starts does not wait for them.
 */
export function languageTools(): Promise<LanguageTools> {
  return (loading ??= load().then((tools) => (loaded = tools)));
}

/** Null until they have been loaded. */
export function languageToolsAtHand(): LanguageTools | null {
  return loaded;
}

async function load() {
  const { checkedOf, compileDocument } = await import('./compile-document.js');
  const { readPlanText } = await import('./plan-text.js');
  const { ALONE_LIMITS, inputFaults, LOOP_LIMITS, tooMuchFault } =
    await import('../language/input/input-schema.js');
  const { valueCheck } = await import('../language/input/value-check.js');
  return {
    valueCheck,
    checkedOf,
    compileDocument,
    readPlanText,
    inputFaults,
    tooMuchFault,
    LOOP_LIMITS,
    ALONE_LIMITS,
  };
}
