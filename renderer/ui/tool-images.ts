import { isJsonObject } from '../../shared/json.ts';

export interface ToolImage {
  mediaType: string;
  /** A `data:` URL, which the Content Security Policy allows. */
  url: string;
  /** The size of the image. */
  bytes: number;
}

/** Formats that every browser supports and that cannot contain scripts, as SVG can. */
const SAFE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const MAX_IMAGES = 8;
/** Bytes of one image. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The images of an MCP server's result that can be shown, in order, at most eight. */
export function toolImages(result: unknown): ToolImage[] {
  const content = isJsonObject(result) ? result['content'] : undefined;
  if (!Array.isArray(content)) return [];
  const images = content.map(imageOf).filter((image) => image !== undefined);
  return images.slice(0, MAX_IMAGES);
}

function imageOf(block: unknown): ToolImage | undefined {
  if (!isJsonObject(block) || block['type'] !== 'image') return undefined;
  const { data, mimeType: mediaType } = block;
  if (typeof mediaType !== 'string' || !SAFE_TYPES.has(mediaType) || typeof data !== 'string') return undefined;
  const bytes = Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
  if (bytes > MAX_BYTES || data.length % 4 !== 0 || !BASE64.test(data)) return undefined;
  return { mediaType, url: `data:${mediaType};base64,${data}`, bytes };
}

/** The texts of an MCP server's result. */
export function toolTexts(result: unknown): string[] {
  const content = isJsonObject(result) ? result['content'] : undefined;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) =>
    isJsonObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [],
  );
}
