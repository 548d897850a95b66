import { isJsonObject } from '../../shared/json.ts';

export interface ToolImage {
  mediaType: string;
  /** A `data:` URL, which the page's policy lets it draw. */
  url: string;
  /** Of the image itself. */
  bytes: number;
}

/** What every browser draws and what runs nothing: SVG is no part of it. */
const DRAWN: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const MOST_IMAGES = 8;
/** Bytes of one image. */
const MOST_BYTES = 8 * 1024 * 1024;

/** The images of an MCP server's result that can be drawn, at most eight, in their order. */
export function toolImages(result: unknown): ToolImage[] {
  const content = isJsonObject(result) ? result['content'] : undefined;
  if (!Array.isArray(content)) return [];
  const images = content.map(imageOf).filter((image) => image !== undefined);
  return images.slice(0, MOST_IMAGES);
}

function imageOf(block: unknown): ToolImage | undefined {
  if (!isJsonObject(block) || block['type'] !== 'image') return undefined;
  const { data, mimeType: mediaType } = block;
  if (typeof mediaType !== 'string' || !DRAWN.has(mediaType) || typeof data !== 'string') return undefined;
  const bytes = Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
  if (bytes > MOST_BYTES || data.length % 4 !== 0 || !BASE64.test(data)) return undefined;
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
