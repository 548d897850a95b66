// Documents and requests for tests.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { createTextWork } from '../text-work/index.ts';
import type { OpenApiDocument } from './document.ts';
import { buildRequest, findOperation, readOpenApiDocument } from './index.ts';

export async function documentOf(value: Json, url?: string): Promise<OpenApiDocument> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const textWork = createTextWork();
  const reading = await readOpenApiDocument(bytes, textWork, url === undefined ? undefined : new URL(url));
  await textWork.close();
  if (!reading.ok) throw new Error(reading.detail);
  return reading.document;
}

/** What is sent, or the sentence that says why nothing is. */
export function requestOf(document: OpenApiDocument, id: string, args: JsonObject): JsonObject {
  const found = findOperation(document, id);
  const built = found.ok ? buildRequest(document, found.operation, args) : found;
  if (!built.ok) return { error: built.error.kind, detail: built.error.detail };
  const { method, url, headers, body } = built.request;
  return { method, url: url.href, headers: { ...headers }, ...(body === undefined ? {} : { body: String(body) }) };
}
