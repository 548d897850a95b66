import { expect, test } from 'vitest';
import { errorCodeWords, readIssuerBody, tokenRequest } from './client-credentials.ts';

const ENDPOINT = new URL('https://issuer.example/token');

test('a client authenticates in the body, in a header, by an assertion, or not at all', () => {
  const inBody = tokenRequest(ENDPOINT, {
    clientId: 'desk',
    proof: { method: 'client_secret_post', secret: 'a b' },
    scope: 'read write',
  });
  const inHeader = tokenRequest(ENDPOINT, {
    clientId: 'client-1:a b',
    proof: { method: 'client_secret_basic', secret: 'ä&=' },
  });
  const signed = tokenRequest(ENDPOINT, {
    clientId: 'desk',
    proof: { method: 'private_key_jwt', assertion: 'signed' },
  });
  const unproved = tokenRequest(ENDPOINT, { proof: { method: 'none' } });

  expect(inBody).toMatchObject({ method: 'POST', url: ENDPOINT });
  expect(inBody.headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded' });
  expect(inBody.headers).not.toHaveProperty('authorization');
  expect(inBody.body).toBe('grant_type=client_credentials&client_id=desk&client_secret=a+b&scope=read+write');
  const basic = Buffer.from('client-1%3Aa+b:%C3%A4%26%3D').toString('base64');
  expect(inHeader).toMatchObject({
    headers: { authorization: `Basic ${basic}` },
    body: 'grant_type=client_credentials',
  });
  expect(Object.fromEntries(new URLSearchParams(String(signed.body)))).toEqual({
    grant_type: 'client_credentials',
    client_id: 'desk',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'signed',
  });
  expect(unproved.body).toBe('grant_type=client_credentials');
});

test('an audience is a field for each, and in JSON a text or a list', () => {
  const client = { proof: { method: 'none' } } as const;

  const form = tokenRequest(ENDPOINT, { ...client, audiences: ['a', 'b'] });
  const one = tokenRequest(ENDPOINT, { ...client, audiences: ['a'] }, 'json');
  const several = tokenRequest(ENDPOINT, { ...client, audiences: ['a', 'b'] }, 'json');

  expect(form.body).toBe('grant_type=client_credentials&audience=a&audience=b');
  expect(one.headers).toMatchObject({ 'content-type': 'application/json' });
  expect(JSON.parse(String(one.body))).toEqual({ grant_type: 'client_credentials', audience: 'a' });
  expect(JSON.parse(String(several.body))).toEqual({ grant_type: 'client_credentials', audience: ['a', 'b'] });
});

test('only the standard error codes of a response are repeated', () => {
  const body = (text: string) => readIssuerBody(Buffer.from(text));

  expect(errorCodeWords(body('{"error":"invalid_client"}'))).toBe(' (invalid_client)');
  expect(errorCodeWords(body('{"error":"the-secret"}'))).toBe('');
  expect(errorCodeWords(body('[]'))).toBe('');
  expect(body('{"error"')).toBeUndefined();
  expect(readIssuerBody(Buffer.from([0xff]))).toBeUndefined();
});
