// Reads an OpenAPI document: a worker does, whatever its size.
import type { JsonObject } from '../../../shared/json.ts';
import { MIB } from '../../../shared/product.ts';
import type { OpenApiDocument } from './document.ts';
import type { OpenApiReading } from './read-openapi.job.ts';

export const MOST_DOCUMENT_BYTES = 8 * MIB;

export type DocumentReading =
  | {
      ok: true;
      document: OpenApiDocument;
      /** Whether it refers to other documents. */
      refersElsewhere: boolean;
    }
  | { ok: false; detail: string };

/** What reads it. */
export interface OpenApiWork {
  carryOut(name: 'readOpenApi', bytes: Uint8Array): Promise<OpenApiReading | 'unfinished'>;
}

/**
 * @param url where the document was read, without credentials
 * @throws Refused `unavailable` when no worker is free
 */
export async function readOpenApiDocument(
  bytes: Uint8Array,
  textWork: OpenApiWork,
  url?: URL,
): Promise<DocumentReading> {
  if (bytes.length > MOST_DOCUMENT_BYTES) return unusable('it has more than 8 MiB');
  const reading = await textWork.carryOut('readOpenApi', bytes);
  if (reading === 'unfinished') return unusable('it takes too long to read; give it as JSON, or a smaller one');
  if (!reading.ok) return unusable(reading.detail);
  const { json, version, refersElsewhere } = reading;
  return { ok: true, document: { version, root: JSON.parse(json) as JsonObject, url }, refersElsewhere };
}

function unusable(detail: string): DocumentReading {
  return { ok: false, detail: `The OpenAPI document cannot be used: ${detail}.` };
}
