import { describe, expect, test } from 'vitest';
import { isStudio, findLink, externalUrl, pageOfLink } from './urls.ts';

const SERVER = 'http://127.0.0.1:4747';

describe('the studio', () => {
  test.each(['/', '', '/#/', '/#/playbooks/desk/runs?status=failed'])('is at %j', (rest) => {
    expect(isStudio(`${SERVER}${rest}`, SERVER)).toBe(true);
  });

  test.each([
    'http://127.0.0.1:4748/',
    'https://127.0.0.1:4747/',
    'http://localhost:4747/',
    'http://127.0.0.1.example.com:4747/',
    'http://127.0.0.1:4747@example.com/',
    'http://user@127.0.0.1:4747/',
    `${SERVER}/v1/openapi.json`,
    `${SERVER}/connect?server=x&token=y`,
    `${SERVER}/?x`,
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'about:blank',
    '//example.com',
    '',
  ])('is not at %j', (url) => {
    expect(isStudio(url, SERVER)).toBe(false);
  });

  test('is unknown while there is no server', () => expect(isStudio(`${SERVER}/`, undefined)).toBe(false));
});

describe('in the browser', () => {
  test.each([
    ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
    ['HTTPS://EXAMPLE.com', 'https://example.com/'],
  ])('%j is opened as %j', (url, opened) => expect(externalUrl(url)).toBe(opened));

  test.each([
    'http://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'cuebook://playbooks',
    'ms-msdt:/id',
    'smb://example.com/x',
    'mailto:ada@example.com',
    'https://user:pass@example.com/',
    'https://example.com/\n--flag',
    ' https://example.com/',
    'https://example.com\\@evil.example/',
    'https:example.com',
    'https:///example.com',
    'https://example.com/\u0085',
    '',
  ])('%j is not opened', (url) => {
    expect(externalUrl(url)).toBe(undefined);
  });

  test('a very long URL is not opened', () => {
    expect(externalUrl(`https://example.com/${'x'.repeat(2_048)}`)).toBe(undefined);
  });
});

const RUN = '01a1fe10-0a9e-7597-a5e5-76e64a240431';

describe('a link', () => {
  test.each([
    ['cuebook://playbooks', '#/'],
    ['cuebook://playbooks/', '#/'],
    ['cuebook://playbooks/wildlife-strikes', '#/playbooks/wildlife-strikes'],
    ['cuebook://playbooks/wildlife-strikes/', '#/playbooks/wildlife-strikes'],
    ['cuebook://playbooks/wildlife-strikes/inbox', '#/playbooks/wildlife-strikes/inbox'],
    [`cuebook://playbooks/wildlife-strikes/inbox/${RUN}`, `#/playbooks/wildlife-strikes/inbox/${RUN}`],
    [`cuebook://playbooks/wildlife-strikes/runs/${RUN}`, `#/playbooks/wildlife-strikes/runs/${RUN}`],
    ['cuebook://playbooks/desk/definitions/recall/open-reports', '#/playbooks/desk/definitions/recall/open-reports'],
    ['cuebook://playbooks/desk/agents', '#/playbooks/desk/agents'],
    ['cuebook://playbooks/desk/tools/memory/read_graph', '#/playbooks/desk/tools/memory/read_graph'],
  ])('%j opens %j', (link, page) => expect(pageOfLink(link)).toBe(page));

  test.each([
    '',
    'cuebook:',
    'cuebook://',
    'cuebook:playbooks',
    'cuebook:///playbooks/desk',
    'cuebook://playbooks//desk',
    'cuebook://playbooks/../../etc',
    'cuebook://playbooks/..',
    'cuebook://playbooks/desk/..%2f..',
    'cuebook://playbooks/%2e%2e/runs',
    'cuebook://playbooks/desk/runs/../connections',
    'cuebook://playbooks/desk/runs?status=failed',
    'cuebook://playbooks/desk?to=https://example.com',
    'cuebook://playbooks/desk#/x',
    'cuebook://playbooks/desk/connect?token=x',
    'cuebook://playbooks/desk/unknown',
    'cuebook://playbooks/desk/tools/execute',
    'cuebook://playbooks/desk/definitions/unknown/open-reports',
    'cuebook://connect?server=http://example.com',
    'cuebook://user@playbooks/desk',
    'cuebook://playbooks:80/desk',
    'cuebook://example.com/playbooks/desk',
    'CUEBOOK://playbooks/desk',
    'cuebook://playbooks/desk\n',
    '\ncuebook://playbooks/desk',
    'cuebook://playbooks/de sk',
    'cuebook://playbooks/desk\u0000',
    'cuebook://playbooks/"><script>',
    "cuebook://playbooks/desk/runs/'--gpu-launcher=calc",
    'cuebook://playbooks/desk\\runs',
    'cuebook://playbooks/dësk',
    'cuebook://playbooks/javascript:alert(1)',
    'https://example.com/cuebook://playbooks',
    'javascript:alert(1)//cuebook://playbooks',
    'file://playbooks/desk',
  ])('%j opens nothing', (link) => expect(pageOfLink(link)).toBe(undefined));

  test.each([129, 3_000])('with a name of %i characters opens nothing', (length) => {
    expect(pageOfLink(`cuebook://playbooks/${'a'.repeat(length)}`)).toBe(undefined);
  });

  test('is found in the command line arguments', () => {
    expect(findLink(['/opt/cuebook', '--flag', 'cuebook://playbooks/desk'])).toBe('cuebook://playbooks/desk');
    expect(findLink(['/opt/cuebook', 'file.txt'])).toBe(undefined);
  });
});
