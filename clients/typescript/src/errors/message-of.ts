/** What a thrown value says; anything can be thrown, also by another realm. */
export function messageOf(thrown: unknown): string {
  const { message } = Object(thrown) as { readonly message?: unknown };
  return typeof message === 'string' ? message : String(thrown);
}
