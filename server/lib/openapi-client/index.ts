// OpenAPI documents, their operations, and requests to them. Documents are parsed in a worker, whatever their size.
import type { JsonObject } from '../../../shared/json.ts';
import { MIB } from '../../../shared/product.ts';
import type { OpenApiDocument } from './document.ts';
import { textJob, type TextWork } from '../text-work/index.ts';
import type { readOpenApi } from './read-openapi.job.ts';

export { buildRequest, type RequestBuilt } from './build-request.ts';
export type { OpenApiDocument } from './document.ts';
export { bareType, isJsonType } from './media-types.ts';
export type {
  Body,
  BodyType,
  FormField,
  ListedOperation,
  Method,
  OpenApiOperation as Operation,
  Parameter,
  ParameterForm,
} from './operation.ts';
export { findOperation, listOperations } from './operations.ts';
export type { OpenApiError, OpenApiErrorKind } from './problem.ts';
export { securityScheme, serverOf } from './server-url.ts';

export const MOST_DOCUMENT_BYTES = 8 * MIB;

export type DocumentReading =
  | {
      ok: true;
      document: OpenApiDocument;
      /** Whether it refers to other documents. */
      refersElsewhere: boolean;
    }
  | { ok: false; detail: string };

/** YAML takes about one second per megabyte. */
const READ_OPENAPI = textJob<typeof readOpenApi>({
  module: new URL('./read-openapi.job.ts', import.meta.url),
  name: 'readOpenApi',
  deadlineMs: 20_000,
});

/**
 * @param url the address of the document, without credentials
 * @throws Refused `unavailable` when no worker is free
 */
export async function readOpenApiDocument(bytes: Uint8Array, textWork: TextWork, url?: URL): Promise<DocumentReading> {
  if (bytes.length > MOST_DOCUMENT_BYTES) return unusable('it has more than 8 MiB');
  const reading = await textWork.run(READ_OPENAPI, bytes);
  if (reading === 'unfinished') return unusable('it takes too long to parse; use JSON, or a smaller document');
  if (!reading.ok) return unusable(reading.detail);
  const { json, version, refersElsewhere } = reading;
  return { ok: true, document: { version, root: JSON.parse(json) as JsonObject, url }, refersElsewhere };
}

function unusable(detail: string): DocumentReading {
  return { ok: false, detail: `The OpenAPI document cannot be used: ${detail}.` };
}
