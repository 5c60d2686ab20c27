/** Makes those generated sources that are not up to date in the repository at `root`; their paths. */
export function makeGeneratedFiles(root: string): Promise<readonly string[]>;
