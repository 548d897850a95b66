// The connect page as HTML. Everything from a caller is escaped; the style is permitted by its digest.
import { createHash } from 'node:crypto';
import { KEY_ALGORITHMS } from '../../../shared/connection-kinds.ts';
import type { Connection } from '../../../shared/schemas/index.ts';

export interface ConnectForm {
  org: string;
  connection: string;
  token: string;
  shown: Connection;
  /** The issues of the previous entry; never the entry itself. */
  wrong: string | undefined;
  /** The address of the script that redirects to the studio's page. */
  script?: string | undefined;
}

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
  dt { opacity: 0.7; } dd { margin: 0; overflow-wrap: anywhere; }
  label { display: block; margin: 1rem 0 0.25rem; font-weight: 600; }
  input, textarea, select { width: 100%; box-sizing: border-box; font: inherit; padding: 0.5rem; }
  button { font: inherit; font-weight: 600; margin-top: 1.5rem; padding: 0.6rem 1.4rem; }
  [role=alert] { border-left: 0.25rem solid #c33; padding: 0.5rem 1rem; }
`;

/** @param runsScript whether the page has the script that redirects to the studio */
export function pagePolicy(runsScript: boolean): string {
  return [
    "default-src 'none'",
    ...(runsScript ? ["script-src 'self'"] : []),
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export const doneText = 'The connection is ready. You can close this page and go back to your agent.';

export function messagePage(title: string, text: string, script?: string): string {
  return page(title, `<h1>${escaped(title)}</h1>\n<p>${escaped(text)}</p>`, script);
}

export function connectFormPage({ org, connection, token, shown, wrong, script }: ConnectForm): string {
  const { name, kind, entry, credential, added_by, asked_by } = shown;
  const where = credential.in === undefined ? undefined : `${PLACES[credential.in]} ${credential.name}`;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Name', name],
    ['Type', kind === 'mcp' ? 'an MCP server' : 'an HTTP API'],
    ['Address', entry.url ?? entry.document],
    ['Calls go to', entry.base_url],
    ['Sends headers', listed(entry.headers)],
    ['Sends parameters', listed(entry.query_params)],
    ['Tools', entry.allowed?.join(', ') ?? 'all'],
    ['Playbooks', entry.playbooks?.join(', ') ?? 'all'],
    ['Content of calls', entry.record_content === false ? 'not recorded' : 'recorded in the history'],
    ['Added by', added_by],
    ['Requested by', asked_by === undefined ? undefined : `${asked_by} (the name that the agent's client gave)`],
    ['Credential', CREDENTIALS[credential.kind]],
    ['Sent as', where],
    ['Variable', credential.variable],
    ['Token issuer', credential.issuer],
    ['Client', credential.client_id],
    ['Scope', credential.scope],
  ];
  const rows = facts
    .filter((fact): fact is readonly [string, string] => fact[1] !== undefined)
    .map(([label, text]) => `<dt>${label}</dt><dd>${escaped(text)}</dd>`);
  const hidden = Object.entries({ org, connection, token }).map(
    ([field, text]) => `<input type="hidden" name="${field}" value="${escaped(text)}">`,
  );
  return page(
    `Connect ${name}`,
    `<h1>Connect ${escaped(name)}</h1>
${wrong === undefined ? '' : `<p role="alert">${escaped(wrong)}</p>`}
<p>${
      asked_by === undefined ? 'A person or a program asks' : `<strong>An agent asks</strong>, ${escaped(asked_by)},`
    } to add this tool server to <strong>${escaped(org)}</strong>. Anyone with this link can approve it. Continue only if you know the server and want its tools to be used.</p>
<dl>${rows.join('\n')}</dl>
<form method="post" action="/connect" autocomplete="off">
${hidden.join('\n')}
${fieldsOf(credential.kind)}
<button type="submit">${credential.kind === 'secret' || credential.kind === 'client_credentials' ? 'Save the credential and connect' : 'Approve and connect'}</button>
</form>
<p>The link works once. To refuse, close this page.</p>`,
    script,
  );
}

const PLACES = { header: 'header', query: 'query parameter', security: 'security scheme' } as const;
const CREDENTIALS = {
  none: 'none',
  secret: 'a value that you enter here; it is stored encrypted and never shown again',
  reference: 'a variable set by the operator',
  client_credentials:
    'access tokens, obtained with a client secret or key that you enter here; it is stored encrypted and never shown again',
} as const;

function fieldsOf(kind: Connection['credential']['kind']): string {
  if (kind === 'secret') return secretField('value', 'Value, exactly as it is to be sent', ' required');
  if (kind !== 'client_credentials') return '';
  const algorithms = KEY_ALGORITHMS.map((one) => `<option>${one}</option>`);
  return `${secretField('client_secret', 'Client secret', '')}
<label for="private_key">or private key (PEM or JWK)</label>
<textarea id="private_key" name="private_key" rows="6" autocomplete="off" spellcheck="false"></textarea>
<label for="algorithm">Algorithm of the private key</label>
<select id="algorithm" name="algorithm">${algorithms.join('')}</select>`;
}

function secretField(name: string, label: string, more: string): string {
  return `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="password" autocomplete="off" spellcheck="false"${more}>`;
}

function listed(members: Readonly<Record<string, string>> | undefined): string | undefined {
  const pairs = Object.entries(members ?? {}).map(([name, value]) => `${name}: ${value}`);
  return pairs.length === 0 ? undefined : pairs.join(', ');
}

function page(title: string, body: string, script?: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)} - Cuebook</title>
<style>${STYLE}</style>
${script === undefined ? '' : `<script type="module" blocking="render" src="${escaped(script)}"></script>\n`}</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
