// Reads what a person pastes: the configuration of another client, command lines, an install link, or an address.
// Messages contain no values, which may be secrets.
import { parse as parseToml } from 'smol-toml';
import { type Document, isScalar, parseDocument, visit } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import type { Reading } from './client-command.ts';
import { NO_SERVER, readConfig } from './client-config.ts';
import { readCommands } from './command-lines.ts';
import { readInstallLink } from './install-link.ts';
import { readJson } from './json-with-comments.ts';
import type { PastedServer } from './pasted-entry.ts';
import { baseName, hostName } from './server-names.ts';

export type { PastedServer } from './pasted-entry.ts';

export type Paste = Reading;

/** What an address is, if that cannot be recognized. */
export type AddressKind = 'mcp' | 'openapi';

const BAD_JSON =
  'The JSON has an error: a brace, a quote or a comma is missing, a backslash is not written twice, or a name occurs twice.';
/** The first line of YAML: a name, and nothing or a value after the colon. */
const YAML_LINE = /^(?:- )?["']?[\w.-]{1,80}["']?[ \t]*:(?:\s|$)/;
/** A name of TOML, also a dotted one; in a shell, no blank may follow it. */
const TOML_LINE = /^(?:[\w-]{1,80}|"[^"\n]{1,80}")(?:\.(?:[\w-]{1,80}|"[^"\n]{1,80}")){0,8}[ \t]{1,20}=[ \t"'[{]/;
const TOML_TABLE = /^[ \t]*\[{1,2}[\w."'/\\: -]{1,200}\]{1,2}[ \t]*(?:#.*)?$/m;

export function readPaste(pasted: string, kind?: AddressKind): Paste {
  const text = withoutQuoteMarks(
    pasted
      .replaceAll('\r\n', '\n')
      .replaceAll('\u00a0', ' ')
      .replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '')
      .trim(),
  );
  const blocks = fencedBlocks(text);
  if (blocks.length > 0) {
    const readings = blocks.map((block) => readText(block, kind));
    const read = readings.flatMap((reading) => (reading.ok ? reading.servers : []));
    if (read.length > 0) return { ok: true, servers: withoutRepeats(read) };
    const link = readInstallLink(text);
    return link ?? readings[0] ?? { ok: false, detail: NO_SERVER };
  }
  const [, code, address] = /^`([^`]+)`$|^[<"'](https?:\/\/[^\s<>"']+)[>"']$/i.exec(text) ?? [];
  const reading = readText(code ?? address ?? text, kind);
  return reading.ok ? { ok: true, servers: withoutCopies(reading.servers) } : reading;
}

/** A block of Markdown that is quoted as a whole; a single line with `>` is a prompt. */
function withoutQuoteMarks(text: string): string {
  const lines = text.split('\n');
  return lines.length > 1 && lines.every((line) => /^>|^\s*$/.test(line))
    ? lines.map((line) => line.replace(/^>[ \t]?/, '')).join('\n')
    : text;
}

/** The texts between lines of three backticks or tildes; the last one may lack its end. */
function fencedBlocks(text: string): string[] {
  const blocks: string[] = [];
  let fence: string | undefined;
  let lines: string[] = [];
  const end = (): void => {
    const block = lines.join('\n').trim();
    if (fence !== undefined && block !== '') blocks.push(block);
    fence = undefined;
    lines = [];
  };
  for (const line of text.split('\n')) {
    const written = line.trim();
    const [mark = ''] = /^(?:`{3,}|~{3,})/.exec(written) ?? [];
    if (fence === undefined) fence = mark === '' ? undefined : mark;
    else if (mark.startsWith(fence) && mark === written) end();
    else lines.push(line);
  }
  end();
  return blocks;
}

/** The blocks of a README often describe one server several times. */
function withoutRepeats(servers: readonly PastedServer[]): PastedServer[] {
  const kept: PastedServer[] = [];
  for (const server of servers) {
    const same = kept.find(({ name }) => name === server.name);
    if (same === undefined) kept.push(server);
    else if (!same.notes.includes(REPEATED)) same.notes.push(REPEATED);
  }
  return kept;
}

/** One command for each client, side by side, often adds the same server. */
function withoutCopies(servers: readonly PastedServer[]): PastedServer[] {
  const seen = new Set<string>();
  return servers.filter(({ name, entry }) => {
    const written = JSON.stringify([name, entry]);
    const isNew = !seen.has(written);
    seen.add(written);
    return isNew;
  });
}

const REPEATED = 'The text describes it several times; the first is used.';

function readText(text: string, kind: AddressKind | undefined): Paste {
  const link = readInstallLink(text);
  if (link !== undefined) return link;
  if (/^https?:\/\/\S+$/i.test(text) || /^[^\s{}:]+\.(?:json|ya?ml)$/i.test(text)) return readAddress(text, kind);
  const bare = text.replaceAll(/^[ \t]*#.*\n?/gm, '').trim();
  const first = bare.replace(/^(?:\/\/.*\n|\/\*[^]*?\*\/|\s)*/, '');
  if (/^["\u201c{[]/.test(first)) {
    const value = readObject(first);
    if (value !== undefined) return readConfig(value);
    // A program in quotes.
    const commands = first.startsWith('"') ? readCommands(text) : undefined;
    if (commands?.ok === true) return commands;
    if (!TOML_TABLE.test(text)) return { ok: false, detail: BAD_JSON };
  }
  if (TOML_TABLE.test(text)) {
    const value = parsedToml(text);
    if (value !== undefined) return readConfig(value);
  }
  if (TOML_LINE.test(bare)) {
    const reading = readConfig(parsedToml(text) ?? null);
    if (reading.ok) return reading;
  }
  if (YAML_LINE.test(bare)) {
    const value = parsedYaml(text);
    const reading = value === undefined ? undefined : readConfig(value);
    if (reading !== undefined && (reading.ok || reading.detail !== NO_SERVER)) return reading;
  }
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => readCommands(code));
  const servers = inline.flatMap((reading) => (reading.ok ? reading.servers : []));
  if (servers.length > 0) return { ok: true, servers: withoutRepeats(servers) };
  const commands = readCommands(text);
  if (commands.ok) return commands;
  // JSON with words around it.
  const begin = text.search(/^[ \t]*\{/m);
  const value = begin === -1 ? undefined : readObject(text.slice(begin, text.lastIndexOf('}') + 1));
  return value === undefined ? commands : readConfig(value);
}

function readAddress(text: string, kind: AddressKind | undefined): Paste {
  const url = URL.parse(text);
  const isDocument = /\.(?:json|ya?ml)$|openapi|swagger|api-docs/i.test(url?.pathname ?? text);
  const isApi = url === null || (kind ?? (isDocument ? 'openapi' : 'mcp')) === 'openapi';
  const name = url === null ? baseName(text) : hostName(url);
  const entry: JsonObject = isApi ? { type: 'openapi', document: text } : { type: 'mcp', url: text };
  return { ok: true, servers: [{ name, entry, notes: [] }] };
}

/** JSON, an entry of it without braces, or an object as programs write it, which YAML reads. */
function readObject(text: string): Json | undefined {
  const written = withPaths(withoutEllipses(text));
  const braced = written.startsWith('"') ? `{${written.replace(/,$/, '')}}` : written;
  const isShort = braced.length <= MOST_LENIENT;
  return (
    readJson(braced) ??
    readJson(braced.replaceAll(/[\u201c-\u201f]/g, '"')) ??
    (isShort && !/(?<!:)\/\/|\/\*/.test(braced) ? parsedYaml(braced) : undefined)
  );
}

/** Lines in which a page says that there may be more. */
function withoutEllipses(text: string): string {
  return text.replaceAll(/^[ \t]{0,80}(?:\.{3}|…),?[ \t]{0,80}$/gm, '');
}

/** With both backslashes of each one in a path of Windows, which `C:\new` lacks: it would be read as a new line. */
function withPaths(text: string): string {
  // A text without its end is matched as well: no character is looked at again.
  return text.replaceAll(/"(?:[^"\\\n]|\\[^\n])*"?/g, (quoted) =>
    /(?<![A-Za-z])[A-Za-z]:\\(?![\\/"])/.test(quoted)
      ? quoted.replaceAll(/\\(["\\])?/g, (found, escaped?: string) => (escaped === undefined ? '\\\\' : found))
      : quoted,
  );
}

/** YAML takes quadratic time for nested braces. */
const MOST_LENIENT = 8192;

function parsedYaml(text: string): Json | undefined {
  try {
    // The parser compares each name with all others.
    const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: false, logLevel: 'silent' });
    if (document.errors.length > 0 || hasNameTwice(document)) return undefined;
    return asJson(document.toJS({ maxAliasCount: 0 }));
  } catch {
    return undefined;
  }
}

function hasNameTwice(document: Document): boolean {
  let isTwice = false;
  visit(document, {
    Map(_key, { items }) {
      const names = items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []));
      isTwice ||= new Set(names).size < names.length;
      return isTwice ? visit.BREAK : undefined;
    },
  });
  return isTwice;
}

function parsedToml(text: string): Json | undefined {
  try {
    const value = asJson(parseToml(withPaths(text)));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** YAML and TOML know values that JSON does not. */
function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value) ?? 'null') as Json;
}
