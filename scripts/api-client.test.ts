import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiClient, CLIENT_FILE } from './api-client.ts';

test('the generated client is what the OpenAPI document gives', async () => {
  const isCurrent = readFileSync(CLIENT_FILE, 'utf8') === (await apiClient());
  expect(isCurrent, 'shared/api/operations.generated.ts is stale; run `npm run api:client` and commit it').toBe(true);
});
