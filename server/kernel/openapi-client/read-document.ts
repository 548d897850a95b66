// Reads an OpenAPI document. JSON of any size is parsed at once; YAML, which takes about a second a megabyte, in a worker.
import { isJsonObject, type Json } from '../../../shared/json.ts';
import { MIB } from '../../../shared/product.ts';
import type { TextWork } from '../text-work/index.ts';
import { member, type OpenApiDocument } from './document.ts';
import type { YamlReading } from './parse-yaml.job.ts';

export const MOST_DOCUMENT_BYTES = 8 * MIB;

export type DocumentReading = { ok: true; document: OpenApiDocument } | { ok: false; detail: string };

/**
 * @param url where the document was read, without credentials
 * @throws Refused `unavailable` when no worker is free to read YAML
 */
export async function readOpenApiDocument(bytes: Uint8Array, textWork: TextWork, url?: URL): Promise<DocumentReading> {
  if (bytes.length > MOST_DOCUMENT_BYTES) return unusable('it has more than 8 MiB');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return unusable('it is not UTF-8');
  }
  const reading = /^\s*[{[]/.test(text) ? parseJson(text) : await parseYaml(text, textWork);
  if (!reading.ok) return unusable(reading.detail);
  const root = reading.value;
  if (!isJsonObject(root)) return unusable('it is no object');
  const version = versionOf(member(root, 'swagger'), member(root, 'openapi'));
  if (version === undefined) return unusable('it says neither `swagger: "2.0"` nor `openapi: 3.x`');
  return { ok: true, document: { version, root, url } };
}

/** Version 3.2 adds to 3.1 and changes nothing that is read here. */
function versionOf(swagger: Json | undefined, openapi: Json | undefined): OpenApiDocument['version'] | undefined {
  // YAML reads an unquoted 2.0 or 3.0 as a number.
  if (swagger === '2.0' || swagger === 2) return '2.0';
  if (openapi === 3) return '3.0';
  const number = /^3\.([0-2])(\.|$)/.exec(String(openapi));
  if (number === null) return undefined;
  return number[1] === '0' ? '3.0' : '3.1';
}

function parseJson(text: string): YamlReading {
  try {
    return { ok: true, value: JSON.parse(text) as Json };
  } catch {
    return { ok: false, detail: 'it is no JSON' };
  }
}

async function parseYaml(text: string, textWork: TextWork): Promise<YamlReading> {
  const reading = await textWork.carryOut('parseYaml', text);
  return reading === 'unfinished' ? { ok: false, detail: 'its YAML takes too long to read; give it as JSON' } : reading;
}

function unusable(detail: string): DocumentReading {
  return { ok: false, detail: `The OpenAPI document cannot be used: ${detail}.` };
}
