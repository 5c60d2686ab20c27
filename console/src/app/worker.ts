/** The file of each worker, by the name of its source, as JSON; the build fills it in. */
declare const WORKER_FILES: string;
const FILES = JSON.parse(WORKER_FILES) as Readonly<Record<string, string>>;

/** As the DOM has it where trusted types are; TypeScript's library does not know them yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string };
}

const policy = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
  'flowgate-worker',
  { createScriptURL: ownFile },
);

/** Starts the worker of the source `<name>.ts`. */
export function startWorker(name: string): Worker {
  const file = FILES[name];
  if (file === undefined) throw new Error(`There is no worker ${name}: its source ends in -worker.ts`);
  return new Worker(policy?.createScriptURL(file) ?? file, { type: 'module', name });
}

/** The one kind of text that becomes the address of a script: a file that the build made. */
function ownFile(address: string): string {
  if (!Object.values(FILES).includes(address)) throw new TypeError(`${address} is no worker of the console`);
  return address;
}
