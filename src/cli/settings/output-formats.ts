/** In what form a command can be asked to answer. */
export const OUTPUT_FORMATS = ['json', 'yaml', 'table', 'wide'] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
