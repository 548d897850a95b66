/** What a connection sends beside its entry to show who calls. */
export interface Sent {
  headers?: Readonly<Record<string, string>>;
  queryParams?: Readonly<Record<string, string>>;
  security?: { scheme: string; value: string };
}

/** The entry with it. */
export function withSent<Entry extends Required<Pick<Sent, 'headers' | 'queryParams'>>>(
  entry: Entry,
  { headers, queryParams, ...security }: Sent,
): Entry {
  return {
    ...entry,
    headers: { ...entry.headers, ...headers },
    queryParams: { ...entry.queryParams, ...queryParams },
    ...security,
  };
}
