import { readdirSync } from 'node:fs';

/** The tests of one method or behaviour: it registers them for the harness that it is given. */
export interface NamedContract<Harness> {
  /** The file's name without its ending. */
  readonly name: string;
  readonly register: (harness: Harness) => void;
}

/** Each file of the folder is one contract, as its default export: a file that is added is run without a list to keep. */
export async function contractsIn<Harness>(folder: URL): Promise<readonly NamedContract<Harness>[]> {
  const files = readdirSync(folder).filter((file) => /^[a-z-]+\.[tj]s$/.test(file));
  return Promise.all(
    files.map(async (file) => {
      const module: { readonly default: NamedContract<Harness>['register'] } = await import(
        new URL(file, folder).href
      );
      return { name: file.replace(/\.[tj]s$/, ''), register: module.default };
    }),
  );
}
