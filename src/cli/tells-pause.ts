interface Told {
  readonly data: Readonly<Record<string, unknown>>;
  readonly change?: { readonly data: Readonly<Record<string, unknown>> };
}

/** Whether the run came to a pause with the event. A pause of one branch, while others move, is none. */
export function tellsPause({ data, change }: Told): boolean {
  return (change?.data ?? data)['status'] === 'paused';
}
