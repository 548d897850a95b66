import { expect, test } from 'vitest';
import { authorize } from './authorize.ts';

test.each([
  undefined,
  '',
  'file:///bin/sh',
  'file://evil.example/share/tool.exe',
  'ms-msdt:/id',
  'http://id.example.com',
])('an identity service whose sign-in page is at %j opens nothing on this machine', async (authorization_endpoint) => {
  const service = {
    issuer: 'https://id.example.com',
    ...(authorization_endpoint === undefined ? {} : { authorization_endpoint }),
  };
  const signIn = { service, resource: 'https://cuebook.example.com', scope: 'org:read' };
  await expect(authorize(signIn, 'cuebook', new AbortController().signal)).rejects.toThrow(
    'names no https authorization_endpoint',
  );
});
