/**
 * Opens an address as a browser does: follows redirects with cookies, until one leads away from the first origin.
 * @returns the address that the last redirect names
 */
export async function followRedirects(start: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  for (let place = start; ; ) {
    if (place.origin !== start.origin) return place;
    // oxlint-disable-next-line no-await-in-loop -- each redirect names the next
    const response = await fetch(place, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${place.href} answered ${response.status}: ${await response.text()}`);
    place = new URL(location, place);
  }
}
