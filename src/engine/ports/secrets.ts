/** Where the values behind `${secret:NAME}` come from. Values never reach a log, a record or an error. */
export interface Secrets {
  /** The value as it is now; null when there is none. Read at every call, so that a rotation needs no restart. */
  read(request: { readonly name: string }): Promise<string | null>;
}
