// Entries, addresses and credentials that an agent may be talked into adding. Each is refused at the right field, and
// nothing is sent anywhere: everything that could lead to this machine leads to a server that counts.
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import { NONE, ORG, SECRET } from './connections.testing.ts';

let server: TestServer;
let reached = 0;
let port = 0;
const listener = createServer((socket) => {
  reached += 1;
  socket.destroy();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve));
  port = (listener.address() as AddressInfo).port;
  server = await startServer();
});
afterAll(async () => {
  await server.close();
  await new Promise((resolve) => listener.close(resolve));
});

let count = 0;

/** What is said of a connection: `/pointer` of an issue, or the status. Nothing is kept of it. */
async function verdict(connection: JsonObject): Promise<string> {
  count += 1;
  const answer = await server.post(`${ORG}/connections`, connection);
  expect(reached).toBe(0);
  if (answer.status !== 422) return String(answer.status);
  return answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).join(' ');
}

const mcp = (entry: JsonObject, credential: JsonObject = NONE): JsonObject => ({
  name: 'docs',
  kind: 'mcp',
  entry,
  credential,
});
const openapi = (entry: JsonObject, credential: JsonObject = NONE): JsonObject => ({
  name: 'docs',
  kind: 'openapi',
  entry,
  credential,
});
const URL_OK = 'https://api.example.com/mcp';
const DOCUMENT = 'https://api.example.com/openapi.json';

describe('addresses', () => {
  // Written inside of a network: the operator's rules do not take them (403).
  test.each([
    'https://0.0.0.0/',
    'https://0.0.0.0:PORT/',
    'https://0.1.2.3/',
    'https://10.0.0.1/',
    'https://10.255.255.255:8443/mcp',
    'https://100.64.0.1/',
    'https://100.127.255.254/',
    'https://169.254.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://169.254.170.2/v2/credentials',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.0.0.192/',
    'https://192.0.2.1/',
    'https://192.88.99.1/',
    'https://192.168.0.1/',
    'https://192.168.1.254:9200/',
    'https://198.18.0.1/',
    'https://198.51.100.7/',
    'https://203.0.113.7/',
    'https://224.0.0.251/',
    'https://239.255.255.250/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::]:PORT/',
    'https://[::a00:1]/',
    'https://[::ffff:a00:1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::ffff:c0a8:101]/',
    'https://[::ffff:0:a00:1]/',
    'https://[64:ff9b::a00:1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[64:ff9b:1::1]/',
    'https://[100::1]/',
    'https://[2001::1]/',
    'https://[2001:db8::1]/',
    'https://[2002:a00:1::1]/',
    'https://[2002:a9fe:a9fe::1]/',
    'https://[3fff::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
  ])('%s is not taken by the rules', async (url) => {
    const address = url.replace('PORT', String(port));
    expect(await verdict(mcp({ url: address }))).toBe('403');
    expect(await verdict(openapi({ document: address }))).toBe('403');
  });

  // Everything else that is no plain https address, nor a plain http address of the loopback.
  test.each([
    '',
    'docs',
    '/etc/passwd',
    '//api.example.com/mcp',
    'api.example.com/mcp',
    'https:',
    'https://',
    'https:///mcp',
    'https:api.example.com',
    'https:/api.example.com',
    'https:\\\\api.example.com',
    'https://api.example.com\\@127.0.0.1/',
    'https://api.example.com\\.evil.example/',
    'ftp://api.example.com/',
    'file:///etc/passwd',
    'data:application/json,{}',
    'javascript:alert(1)',
    'blob:https://api.example.com/1',
    'ws://127.0.0.1/',
    'gopher://127.0.0.1:6379/_INFO',
    'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
    'jar:https://api.example.com!/',
    'view-source:https://api.example.com',
    'http://api.example.com/mcp',
    'http://8.8.8.8/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http://0.0.0.0:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:a00:1]/',
    'http://localhost.example.com/',
    'http://127.0.0.1.example.com/',
    'http://127.0.0.1.:PORT/',
    'http://localhost.:PORT/',
    'http://127.1:PORT/',
    'http://127.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7f.0.0.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://017700000001:PORT/',
    'http://127.0.0.01:PORT/',
    'http://0127.0.0.1:PORT/',
    'http://[0:0:0:0:0:0:0:1]:PORT/',
    'http://[::0001]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://１２７.0.0.1:PORT/',
    'http://127。0。0。1:PORT/',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/',
    'http://%31%32%37.0.0.1:PORT/',
    'http://loc%61lhost:PORT/',
    'http://local\u00adhost:PORT/',
    'https://10.1/',
    'https://167772161/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::10.0.0.1]/',
    'https://[fe80::1%25eth0]/',
    'https://аpi.example.com/',
    'https://api.example.com./',
    'https://user@api.example.com/',
    'https://user:password@api.example.com/',
    'https://:password@api.example.com/',
    'https://@api.example.com/',
    'https://api.example.com@127.0.0.1:PORT/',
    'https://api.example.com:443@127.0.0.1:PORT/',
    'https://127.0.0.1:PORT@api.example.com/',
    'https://api.example.com:99999/',
    'https://api.example.com:0x50/',
    'https://api.example.com/#fragment',
    'https://api.example.com/mcp#access_token=abc',
    'https://api.example.com/mcp?api_key=abcdefgh',
    'https://api.example.com/mcp?x=1&ACCESS_TOKEN=abcdefgh',
    'https://api.example.com/mcp?client-secret=abcdefgh',
    'https://api.example.com/mcp?%61pi_key=abcdefgh',
    'https://api.example.com/mcp?password=hunter22',
    'https://api.example.com/ghp_16C7e42F292c6912E7710c838347Ae178B4a/mcp',
    'https://api.example.com/%67hp_16C7e42F292c6912E7710c838347Ae178B4a/mcp',
    'https://api.example.com/?q=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
    'https://api.example.com/${OPENAI_API_KEY}',
    'https://${HOST}/mcp',
    'https://api.example.com/?q=${TOKEN}',
    'https://api.example.com/%24%7BTOKEN%7D',
    'https://api.example.com/a b',
    'https://api.example.com/\t',
    ' https://api.example.com/',
    'https://api.example.com/ ',
    'https://api.exa\nmple.com/',
    'https://api.example.com/\r\nHost: evil.example',
    'https://api.example.com/\u0000',
    'https://api.example.com/\u202egpj.exe',
    'https://api\u200b.example.com/',
    'https://api.example.com/\ufeff',
    'https://api.example.com/\u061cgpj.exe',
    'https://api.example.com/\u{e0041}',
  ])('%j is refused where it stands', async (url) => {
    const address = url.replace('PORT', String(port));
    expect(await verdict(mcp({ url: address }))).toBe('/entry/url');
    expect(await verdict(openapi({ document: address }))).toBe('/entry/document');
    expect(await verdict(openapi({ document: DOCUMENT, base_url: address }))).toBe('/entry/base_url');
    const credential = { kind: 'client_credentials', issuer: address, client_id: 'a' };
    expect(await verdict(mcp({ url: URL_OK }, credential))).toBe('/credential/issuer');
  });
});

describe('entries', () => {
  const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl';
  test.each<[string, JsonObject]>([
    ['/entry/headers/Authorization', { headers: { Authorization: 'Bearer abc' } }],
    ['/entry/headers/authorization', { headers: { authorization: 'x' } }],
    ['/entry/headers/Proxy-Authorization', { headers: { 'Proxy-Authorization': 'x' } }],
    ['/entry/headers/Cookie', { headers: { Cookie: 'a=b' } }],
    ['/entry/headers/X-Api-Key', { headers: { 'X-Api-Key': 'x' } }],
    ['/entry/headers/x-auth-token', { headers: { 'x-auth-token': 'x' } }],
    ['/entry/headers/X-Client-Secret', { headers: { 'X-Client-Secret': 'x' } }],
    ['/entry/headers/x-password', { headers: { 'x-password': 'x' } }],
    ['/entry/headers/X-Auth', { headers: { 'X-Auth': 'x' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'Bearer abcdefghijkl' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'Basic dXNlcjpwYXNzd29yZA==' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': JWT } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'ghp_16C7e42F292c6912E7710c838347Ae178B4a' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'github_pat_11ABCDEFG0123456789_abcdefghijkl' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'glpat-ABCDEFGHIJKLMNOPQRST' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'sk-proj-ABCDEFGHIJKLMNOPQRSTUVWX' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'xoxb-123456789012-abcdefgh' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'AKIAIOSFODNN7EXAMPLE' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'AIzaSyA-1234567890abcdefghijklmnopqrstu' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': '-----BEGIN PRIVATE KEY-----' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'abk_ABCDEFGH_0123456789abcdefghijklmnopqrstuv' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': '${TEAM}' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'a ${TEAM} b' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'a\r\nx-evil: 1' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'a\u0000' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'a\u202e' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 'grün€' } }],
    ['/entry/headers/${NAME}', { headers: { '${NAME}': 'a' } }],
    ['/entry/headers/x team', { headers: { 'x team': 'a' } }],
    ['/entry/headers/x:team', { headers: { 'x:team': 'a' } }],
    ['/entry/headers/x\nteam', { headers: { 'x\nteam': 'a' } }],
    ['/entry/headers/', { headers: { '': 'a' } }],
    ['/entry/headers/Host', { headers: { Host: '127.0.0.1' } }],
    ['/entry/headers/content-length', { headers: { 'content-length': '0' } }],
    ['/entry/headers/Transfer-Encoding', { headers: { 'Transfer-Encoding': 'chunked' } }],
    ['/entry/headers/Connection', { headers: { Connection: 'upgrade' } }],
    ['/entry/headers/x-team', { headers: { 'x-team': 5 } }],
    ['/entry/headers', { headers: 'x-team: a' }],
    ['/entry/headers', { headers: ['x-team: a'] }],
    ['/entry/query_params/api_key', { query_params: { api_key: 'x' } }],
    ['/entry/query_params/access_token', { query_params: { access_token: 'x' } }],
    ['/entry/query_params/sig', { query_params: { sig: 'x' } }],
    ['/entry/query_params/q', { query_params: { q: JWT } }],
    ['/entry/query_params/q', { query_params: { q: '${TOKEN}' } }],
    ['/entry/query_params/q', { query_params: { q: 'a\u0007' } }],
    ['/entry/query_params/${Q}', { query_params: { '${Q}': 'a' } }],
    ['/entry/query_params/q', { query_params: { q: ['a'] } }],
    ['/entry/allowed/0', { allowed: ['${TOOL}'] }],
    ['/entry/allowed/1', { allowed: ['add', 'a b'] }],
    ['/entry/allowed/0', { allowed: ['server/tool'] }],
    ['/entry/allowed/0', { allowed: ['add\u0000'] }],
    ['/entry/allowed/0', { allowed: [5] }],
    ['/entry/allowed', { allowed: 'add' }],
    ['/entry/playbooks/0', { playbooks: ['${PLAYBOOK}'] }],
    ['/entry/playbooks/0', { playbooks: ['des*'] }],
    ['/entry/playbooks/0', { playbooks: ['desk\u202e'] }],
    ['/entry/playbooks', { playbooks: 'desk' }],
    ['/entry/record_content', { record_content: 'no' }],
    ['/entry/request_id', { request_id: '${ID}' }],
    ['/entry/request_id', { request_id: 'a b' }],
    ['/entry/request_id', { request_id: 'a\u0001' }],
    ['/entry/command', { command: 'sh' }],
    ['/entry/args', { args: ['-c', 'id'] }],
    ['/entry/env', { env: { PATH: '/' } }],
    ['/entry/type', { type: 'stdio' }],
    ['/entry/orgs', { orgs: ['*'] }],
    ['/entry/security', { security: { scheme: 'a', value: 'b' } }],
    ['/entry/secrets', { secrets: [] }],
    ['/entry/document', { document: DOCUMENT }],
    ['/entry/base_url', { base_url: 'https://api.example.com' }],
  ])('%s is refused', async (pointer, more) => {
    expect(await verdict(mcp({ url: URL_OK, ...more }))).toBe(pointer);
  });

  test('members named as those of every object are unknown ones', async () => {
    const text = `{"name":"docs","kind":"mcp","credential":{"kind":"none"},"entry":{"url":"${URL_OK}","__proto__":{"a":1}}}`;
    const answer = await server.post(`${ORG}/connections`, text);
    expect(answer.body.errors).toMatchObject([{ pointer: '/entry/__proto__' }]);
  });

  test('an entry of another kind is refused at the field it lacks and at the one it does not take', async () => {
    expect(await verdict(openapi({ url: URL_OK }))).toBe('/entry/document /entry/url');
    expect(await verdict(mcp({}))).toBe('/entry/url');
    expect(await verdict({ ...mcp({ url: URL_OK }), kind: 'stdio' })).toBe('/kind');
  });
});

describe('credentials and names', () => {
  test.each<[string, JsonObject]>([
    ['/credential/kind', { kind: 'password' }],
    ['/credential/kind', {}],
    ['/credential/name', { kind: 'none', name: 'x' }],
    ['/credential/value', { ...SECRET, value: 'canary' }],
    [
      '/credential/client_secret',
      { kind: 'client_credentials', issuer: URL_OK, client_id: 'a', client_secret: 'canary' },
    ],
    ['/credential/name', { kind: 'secret', in: 'header' }],
    ['/credential/in', { kind: 'secret', name: 'x' }],
    ['/credential/in', { kind: 'secret', name: 'x', in: 'query' }],
    ['/credential/in', { kind: 'secret', name: 'x', in: 'security' }],
    ['/credential/in', { kind: 'secret', name: 'x', in: 'cookie' }],
    ['/credential/name', { ...SECRET, name: 'Host' }],
    ['/credential/name', { ...SECRET, name: 'x y' }],
    ['/credential/name', { ...SECRET, name: 'x\r\ny' }],
    ['/credential/name', { ...SECRET, name: '${NAME}' }],
    ['/credential/name', { ...SECRET, name: 'X-Team' }],
    ['/credential/variable', { ...SECRET, variable: 'HOME' }],
    ['/credential/variable', { kind: 'reference', name: 'x', in: 'header' }],
    ['/credential/variable', { kind: 'reference', name: 'x', in: 'header', variable: '${HOME}' }],
    ['/credential/variable', { kind: 'reference', name: 'x', in: 'header', variable: 'A B' }],
    ['/credential/issuer', { kind: 'client_credentials', client_id: 'a' }],
    ['/credential/issuer', { kind: 'client_credentials', client_id: 'a', issuer: 'https://a.example/?x=1' }],
    ['/credential/client_id', { kind: 'client_credentials', issuer: URL_OK }],
    ['/credential/client_id', { kind: 'client_credentials', issuer: URL_OK, client_id: '${ID}' }],
    ['/credential/client_id', { kind: 'client_credentials', issuer: URL_OK, client_id: 'a\u0000' }],
    ['/credential/scope', { kind: 'client_credentials', issuer: URL_OK, client_id: 'a', scope: 'a  b' }],
    ['/credential/scope', { kind: 'client_credentials', issuer: URL_OK, client_id: 'a', scope: '${S}' }],
  ])('%s is refused', async (pointer, credential) => {
    expect(await verdict(mcp({ url: URL_OK, headers: { 'x-team': 'a' } }, credential))).toBe(pointer);
  });

  test.each(['', 'a b', 'a/b', '../a', '-a', '${NAME}', 'a\u0000', 'ä', 'a'.repeat(65), '__proto__'])(
    'the name %j is refused',
    async (name) => {
      expect(await verdict({ ...mcp({ url: URL_OK }), name })).toBe('/name');
    },
  );

  test('a variable that the operator does not offer is refused, whether it is set or not', async () => {
    for (const variable of ['HOME', 'NOT_SET_ANYWHERE']) {
      expect(await verdict(mcp({ url: URL_OK }, { kind: 'reference', name: 'x', in: 'header', variable }))).toBe('403');
    }
  });
});

test('none of them was kept, none was sent anything, and they were more than 150', async () => {
  expect((await server.get(`${ORG}/connections?include_removed=true`)).body).toEqual({ connections: [] });
  expect(reached).toBe(0);
  expect(count).toBeGreaterThan(150);
});
