/** Where the values behind `${secret:NAME}` come from. Values never reach a log, a record or an error. */
export interface Secrets {
  /**
   * The value as it is now; null when the namespace has none of that name. Read at every call, so that a rotation needs
   * no restart. A namespace reads its own secrets only, `default` included.
   */
  read(request: { readonly namespace: string; readonly name: string }): Promise<string | null>;
  /**
   * The hosts that the secret may be sent to (`api.example.com`, `*.example.com` for all names under it), and nowhere else:
   * not to other hosts, not to units in this process. Null, and without this method: no such bound. Rejects where the hosts
   * cannot be determined; the unit is then not called.
   */
  hostsOf?(request: { readonly namespace: string; readonly name: string }): Promise<readonly string[] | null>;
  /**
   * Why a document that names the secret is refused where it is registered, as what the namespace can never be given under that name;
   * null, and without this method: it is not. A phrase that says what to do, after the name.
   */
  refusalOf?(request: { readonly namespace: string; readonly name: string }): Promise<string | null>;
}
