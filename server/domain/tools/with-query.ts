/** The address with these parameters behind its own, which stay as they are written. */
export function withQuery(url: URL, parameters: Readonly<Record<string, string>>): URL {
  const full = new URL(url);
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`,
  );
  full.search = [full.search.slice(1), ...pairs].filter((part) => part !== '').join('&');
  return full;
}
