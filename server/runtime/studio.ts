// The studio's files, as `npm run build` left them.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Asset, StudioFiles } from '../interfaces/http/index.ts';
import { VERSION } from './version.ts';

/** The bundle for clients that install one with a click, as `npm run mcpb` names it. */
export const BUNDLE = `cuebook-${VERSION}-${process.platform}-${process.arch}.mcpb`;

const BUILT = fileURLToPath(new URL('../../dist/studio/', import.meta.url));

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mcpb': 'application/octet-stream',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/**
 * @param folder holds `index.html`, `connect/index.html` and `assets/`; where it does not, the page says how to build the
 * studio
 */
export function readStudio(folder: string = BUILT): StudioFiles {
  const page = path.join(folder, 'index.html');
  if (!existsSync(page)) return { page: NOT_BUILT, assets: new Map(), connectScript: undefined };
  return {
    page: readFileSync(page, 'utf8'),
    assets: new Map([...readAssets(path.join(folder, 'assets')), ...readBundle(path.join(folder, '..'))]),
    connectScript: readConnectScript(path.join(folder, 'connect', 'index.html')),
  };
}

/** What the page of connect links, as it stands on a host of static files, loads. */
function readConnectScript(page: string): string | undefined {
  if (!existsSync(page)) return undefined;
  return /<script[^>]* src="\.\.\/assets\/([^"]+)"/.exec(readFileSync(page, 'utf8'))?.[1];
}

function readAssets(folder: string): [name: string, asset: Asset][] {
  return readdirSync(folder).map((name) => [name, assetAt(path.join(folder, name))]);
}

function readBundle(folder: string): [name: string, asset: Asset][] {
  const file = path.join(folder, BUNDLE);
  return existsSync(file) ? [[BUNDLE, assetAt(file)]] : [];
}

function assetAt(file: string): Asset {
  const mediaType = MEDIA_TYPES[path.extname(file)] ?? 'application/octet-stream';
  return { file, mediaType, bytes: statSync(file).size };
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Cuebook</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; }
</style>
<h1>Cuebook is running</h1>
<p>The studio is not built yet. <code>npm run build</code> builds it; then load this page again after a new start.
The HTTP API is served meanwhile: <a href="/v1/openapi.json">OpenAPI document</a>,
<a href="/v1/guides/start">guide</a>, <a href="/health">health</a>.</p>
</html>
`;
