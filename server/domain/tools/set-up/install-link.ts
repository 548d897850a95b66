// The links with which READMEs install a server in a client: `cursor://`, `vscode:` and those like them. The server is
// JSON in the link, percent-encoded or in base64.
import { isJsonObject, type JsonObject } from '../../../../shared/json.ts';
import { isServer, nameOf, readEntry } from './pasted-entry.ts';
import type { Reading } from './client-command.ts';
import { readJson } from './json-with-comments.ts';
import { percentDecoded } from '../../../lib/percent-decode.ts';

/** Begins after a blank, a quote or a bracket, which do not occur in it: each character is looked at once. */
const LINK =
  /(?<![^\s"'<>`([])(?:cursor|vscode|vscode-insiders|vscodium|code-oss|windsurf|goose|lmstudio|kiro|trae|warp|claude|zed):[^\s"'<>`()[\]]+/gi;
/** Pages that pass a link on to the client. */
const WEB_LINK =
  /(?<![^\s"'<>`([])https?:\/\/(?:www\.)?(?:cursor\.com|(?:insiders\.)?vscode\.dev|kiro\.dev|lmstudio\.ai|block\.github\.io\/goose)\/[^\s"'<>`()[\]]+/gi;
const NO_SERVER_IN_LINK =
  'The link holds no server: its `config` is not the JSON of one. Paste the JSON of the server, or the command that starts it.';

/** Undefined for a text without such a link. */
export function readInstallLink(text: string): Reading | undefined {
  const web = installIn(text, WEB_LINK);
  const ofWeb = web === undefined ? undefined : readLink(web);
  if (ofWeb?.ok === true) return ofWeb;
  const link = installIn(text, LINK);
  return link === undefined ? undefined : readLink(link);
}

/** Other addresses, such as the picture of a badge, are no installations, and `Cursor:` may begin a sentence. */
function installIn(text: string, links: RegExp): string | undefined {
  return [...text.matchAll(links)]
    .map(([link]) => link)
    .find((link) => link.includes('?') && /mcp|install|extension/i.test(link));
}

function readLink(link: string): Reading {
  const query = link.slice(link.indexOf('?') + 1);
  const parameters = new URLSearchParams(query);
  const passedOn = parameters.get('url');
  if (passedOn !== null && passedOn.includes('?')) return readLink(passedOn);
  const name = parameters.get('name') ?? parameters.get('id') ?? undefined;
  const command = parameters.get('cmd');
  if (command !== null) {
    const env = Object.fromEntries(
      parameters.getAll('env').map((one) => [one.split('=')[0] ?? '', `\${${one.split('=')[0]}}`]),
    );
    return server(name, { command, args: parameters.getAll('arg'), env });
  }
  const address = parameters.get('url');
  if (address !== null && /^https?:\/\//.test(address)) return server(name, { url: address });
  const written = parameters.get('config') ?? query;
  const value = [written, percentDecoded(written), fromBase64(written), fromBase64(percentDecoded(written))]
    .map((one) => readJson(one))
    .find((one) => isJsonObject(one));
  if (!isJsonObject(value)) return { ok: false, detail: NO_SERVER_IN_LINK };
  if (isServer(value)) return server(name, value);
  const [only] = Object.entries(isJsonObject(value['mcpServers']) ? value['mcpServers'] : value);
  return only !== undefined && isJsonObject(only[1]) && isServer(only[1])
    ? server(only[0], only[1])
    : { ok: false, detail: NO_SERVER_IN_LINK };
}

function server(name: string | undefined, value: JsonObject): Reading {
  return { ok: true, servers: [readEntry(name ?? nameOf(value), value)] };
}

/** A `+` of base64 is a blank in a query. */
function fromBase64(text: string): string {
  return Buffer.from(text.replaceAll(' ', '+'), 'base64').toString('utf8');
}
