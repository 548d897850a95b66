// What calls are made with in tests.
import { onTestFinished } from 'vitest';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import { createFakeClock, type FakeClock } from '../../../lib/clock.ts';
import { createHttpClient } from '../../../lib/http-client/index.ts';
import { createTextWork } from '../../../lib/text-work/index.ts';
import { type CallResult, type CallSurroundings, createCallMemory, performCall, prepareCall } from './index.ts';

export function testContext(own: Partial<CallSurroundings> = {}): CallSurroundings & { clock: FakeClock } {
  const clock = createFakeClock();
  const http = createHttpClient();
  const textWork = createTextWork();
  onTestFinished(async () => {
    await textWork.close();
    http.close();
  });
  return { http, textWork, memory: createCallMemory(), isHostAllowed: () => true, secrets: {}, ...own, clock };
}

export async function call(
  kind: 'http' | 'openapi',
  given: JsonObject,
  own: CallSurroundings = testContext(),
  authentications: Json = {},
): Promise<CallResult> {
  const prepared = prepareCall({ call: kind, with: given, authentications }, own.secrets);
  return prepared.ok ? performCall(prepared.request, own) : prepared;
}
