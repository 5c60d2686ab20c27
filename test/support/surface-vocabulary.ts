/** How each surface speaks. What stands here is said on that one alone. */
const VOCABULARY = {
  http: /\b(?:GET|POST|PUT|DELETE) [/…]|\bview=full\b|Idempotency-Key|Authorization:|[?&][a-z]\w*=|\bheaders?\b|\bquery\b/gi,
  command: /(?<![\w-])--[a-z][\w-]*|\bflowgate (?!and\b)[a-z]+(?= (?:<|--|lists|shows|wrote|names))/g,
  code: /\b[a-z]\w*\(\)|\bbaseUrl\b|\btimeoutMs\b/g,
  mcp: /\b(?:run_workflow|(?:get|resume|cancel|pause|compensate|fork)_run|respond_hitl|list_(?:runs|gates|events|workflows))\b/g,
  service: /\bFLOWGATE_[A-Z_]+/g,
} as const satisfies Readonly<Record<string, RegExp>>;

export type Vocabulary = keyof typeof VOCABULARY;

/** The words in a text that none of these surfaces uses. */
export function wordsOfOthers(text: string, own: readonly Vocabulary[]): readonly string[] {
  return (Object.keys(VOCABULARY) as Vocabulary[])
    .filter((name) => !own.includes(name))
    .flatMap((name) => text.match(VOCABULARY[name]) ?? []);
}
