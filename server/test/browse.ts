// What a person's browser does at an identity service, without a browser.

/**
 * Opens an address as a browser does: follows redirects with cookies, until one leads away from the first origin.
 * @returns the address that the last redirect names
 */
export async function followRedirects(start: URL): Promise<URL> {
  const open = createBrowser();
  for (let place = start; ; ) {
    if (place.origin !== start.origin) return place;
    // oxlint-disable-next-line no-await-in-loop -- each redirect names the next
    const response = await open(place);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${place.href} answered ${response.status}: ${await response.text()}`);
    place = new URL(location, place);
  }
}

/**
 * Opens the page for the code of a device, and submits each form that it leads to.
 * @param answer `abort` to refuse when the page asks whether the code is right
 */
export async function confirmDevice(start: URL, answer: 'confirm' | 'abort' = 'confirm'): Promise<void> {
  const open = createBrowser();
  let [place, form]: [URL, URLSearchParams | undefined] = [start, undefined];
  let refused = false;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    const response = await open(place, form);
    const location = response.headers.get('location');
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    const page = await response.text();
    const [, action] = /<form [^>]*action="([^"]*)"/.exec(page) ?? [];
    const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    form = undefined;
    if (refused) return;
    if (location !== null) place = new URL(location, place);
    else if (action === undefined || !response.ok) return;
    else {
      place = new URL(action, place);
      form = new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value]));
      refused = form.has('confirm') && answer === 'abort';
      if (refused) form.set('abort', 'yes');
    }
  }
}

/** Requests with the cookies of the responses before. */
function createBrowser(): (place: URL, form?: URLSearchParams) => Promise<Response> {
  const cookies = new Map<string, string>();
  return async (place, form) => {
    const response = await fetch(place, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
}
