import type { AllowAddress, HttpSender } from '../../lib/http-client/index.ts';

/** Which requests may be sent to addresses that callers and documents name, and how. */
export interface EgressPolicy {
  /**
   * @param from the document that leads there, where one does
   * @throws ServerFault `connection_not_allowed` where no request may go there
   */
  check: (url: URL, from?: URL) => Promise<void>;
  /**
   * What requests are sent with; it answers a failure where `check` refuses.
   * @param from the document that leads there, where one does
   */
  senderFor: (from?: URL) => HttpSender;
  /** The addresses that the host of a URL may stand for. */
  allowAddress: (url: URL) => AllowAddress;
}

/** What a connection sends beside its entry to show who calls. */
export interface CallerCredential {
  headers?: Readonly<Record<string, string>>;
  queryParams?: Readonly<Record<string, string>>;
  security?: { scheme: string; value: string };
}

/** The entry with it. */
export function withCredential<Entry extends Required<Pick<CallerCredential, 'headers' | 'queryParams'>>>(
  entry: Entry,
  { headers, queryParams, ...security }: CallerCredential,
): Entry {
  return {
    ...entry,
    headers: { ...entry.headers, ...headers },
    queryParams: { ...entry.queryParams, ...queryParams },
    ...security,
  };
}

/** The address with these parameters behind its own, which stay as they are written. */
export function withQuery(url: URL, parameters: Readonly<Record<string, string>>): URL {
  const full = new URL(url);
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`,
  );
  full.search = [full.search.slice(1), ...pairs].filter((part) => part !== '').join('&');
  return full;
}
