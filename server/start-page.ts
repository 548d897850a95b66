/** The page at `/` for who opens the printed address in a browser. */
export function startPage(version: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Cuebook</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; }
  code { font-size: 0.95em; }
</style>
<h1>Cuebook ${version} is running</h1>
<p>This address serves the HTTP API.</p>
<ul>
  <li><a href="/v1/openapi.json">OpenAPI document</a>: every operation with its schemas</li>
  <li><a href="/v1/guides/start">Guide: start</a></li>
  <li><a href="/.well-known/api-catalog">API catalog</a></li>
  <li><a href="/health">Health</a></li>
</ul>
<p>On the command line, <code>npx cuebook --help</code> lists what can be done.</p>
</html>
`;
}
