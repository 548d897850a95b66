import { describe, expect, test } from 'vitest';
import { guardContents, type GuardedSession, guardSession } from './guards.ts';
import { createContents } from './stand-ins.testing.ts';

const SERVER = 'http://127.0.0.1:4747';

describe('the page', () => {
  function given() {
    const contents = createContents();
    const opened: string[] = [];
    guardContents(contents, { server: () => SERVER, openExternal: (url) => void opened.push(url) });
    return { contents, opened };
  }

  test('stays at the studio', () => {
    const { contents, opened } = given();
    expect(contents.navigate('will-navigate', `${SERVER}/#/playbooks/desk`)).toBe('goes');
    expect(contents.navigate('will-navigate', 'http://127.0.0.1:9999/')).toBe('stays');
    expect(contents.navigate('will-navigate', 'file:///etc/passwd')).toBe('stays');
    expect(opened).toEqual([]);
  });

  test('external https links open in the browser', () => {
    const { contents, opened } = given();
    expect(contents.navigate('will-navigate', 'https://example.com/docs')).toBe('stays');
    expect(contents.openWindow('https://example.com/other')).toEqual({ action: 'deny' });
    expect(contents.openWindow('http://example.com/plain')).toEqual({ action: 'deny' });
    expect(contents.openWindow(`${SERVER}/#/`)).toEqual({ action: 'deny' });
    expect(opened).toEqual(['https://example.com/docs', 'https://example.com/other']);
  });

  test('redirects, frames and web views are blocked', () => {
    const { contents, opened } = given();
    expect(contents.navigate('will-redirect', 'https://example.com/')).toBe('stays');
    expect(contents.navigate('will-frame-navigate', 'https://example.com/')).toBe('stays');
    expect(contents.navigate('will-attach-webview', '')).toBe('stays');
    expect(opened).toEqual([]);
  });
});

type Handler<Name extends keyof GuardedSession> = GuardedSession[Name] extends (handler: infer H) => void ? H : never;

describe('the session', () => {
  function given() {
    const set: {
      request?: Handler<'setPermissionRequestHandler'>;
      check?: Handler<'setPermissionCheckHandler'>;
      device?: Handler<'setDevicePermissionHandler'>;
      before?: Parameters<GuardedSession['webRequest']['onBeforeRequest']>[0];
      headers?: Parameters<GuardedSession['webRequest']['onHeadersReceived']>[0];
    } = {};
    guardSession(
      {
        setPermissionRequestHandler: (handler) => void (set.request = handler),
        setPermissionCheckHandler: (handler) => void (set.check = handler),
        setDevicePermissionHandler: (handler) => void (set.device = handler),
        webRequest: {
          onBeforeRequest: (listener) => void (set.before = listener),
          onHeadersReceived: (listener) => void (set.headers = listener),
        },
      },
      () => SERVER,
    );
    return set;
  }

  test.each([
    ['notifications', `${SERVER}/`, true],
    ['notifications', 'https://example.com/', false],
    ...[
      'media',
      'geolocation',
      'clipboard-read',
      'clipboard-sanitized-write',
      'openExternal',
      'fullscreen',
      'hid',
      'usb',
    ].map((permission) => [permission, `${SERVER}/`, false] as const),
  ] as const)('%s for %s is granted: %s', (permission, url, isGranted) => {
    const { request, check, device } = given();
    let answer: boolean | undefined;
    request?.(null, permission, (granted) => void (answer = granted), { requestingUrl: url });
    expect(answer).toBe(isGranted);
    expect(check?.(null, permission, url)).toBe(isGranted);
    expect(device?.()).toBe(false);
  });

  test.each([
    [`${SERVER}/v1/orgs/local/playbooks`, false],
    ['blob:http://127.0.0.1:4747/1', false],
    ['data:image/svg+xml,x', false],
    ['https://example.com/x.js', true],
    ['http://127.0.0.1:9999/', true],
    ['file:///etc/passwd', true],
    ['ws://127.0.0.1:4747/', true],
    ['', true],
  ])('a request to %j is cancelled: %s', (url, isCancelled) => {
    let answer: { cancel: boolean } | undefined;
    given().before?.({ url }, (given) => void (answer = given));
    expect(answer).toEqual({ cancel: isCancelled });
  });

  test('a page without a policy gets a strict one; its own policy is kept', () => {
    const { headers } = given();
    const answered = (resourceType: string, responseHeaders: Record<string, string[]>) => {
      let answer: Record<string, string[]> = {};
      headers?.({ url: `${SERVER}/`, resourceType, responseHeaders }, (given) => void (answer = given.responseHeaders));
      return answer;
    };
    expect(answered('mainFrame', {})['Content-Security-Policy']?.[0]).toContain("default-src 'none'");
    const own = { 'content-security-policy': ["script-src 'self'"] };
    expect(answered('mainFrame', own)).toEqual(own);
    expect(answered('image', { etag: ['"1"'] })).toEqual({ etag: ['"1"'] });
  });
});
