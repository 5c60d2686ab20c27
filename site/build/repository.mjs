/** Where the files of the repository are shown, with a slash at its end, by its manifest; null: it does not say. */
export function repositoryPagesOf({ repository }) {
  const url = typeof repository === 'string' ? repository : repository?.url;
  const [, address] = /^(?:git\+)?(https:\/\/.+?)(?:\.git)?$/.exec(url ?? '') ?? [];
  return address === undefined ? null : `${address}/blob/HEAD/`;
}
