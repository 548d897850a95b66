// Servers in the configuration of another client, or in Cuebook's own: JSON, YAML and TOML are one value here.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import type { Reading } from './client-command.ts';
import { isServer, nameOf, type PastedServer, readEntry } from './pasted-entry.ts';
import { readRegistryServer } from './registry-server.ts';

/** The members under which clients keep their servers. Some nest them. */
const HOLDERS = [
  'mcpServers',
  'mcp_servers',
  'servers',
  'context_servers',
  'tool_servers',
  'extensions',
  'modelContextProtocolServers',
  'mcp',
];
const NESTING = ['mcp', 'experimental', 'tools', 'settings'];
/** Extensions that only the client itself has. */
const BUILT_IN = ['builtin', 'platform', 'frontend', 'inline_python'];

export const NO_SERVER =
  'There is no tool server in it. Paste the configuration of another client (JSON, YAML or TOML), a command such as `npx -y PACKAGE` or `claude mcp add NAME -- COMMAND`, an install link, or an address.';

export function readConfig(value: Json): Reading {
  if (Array.isArray(value)) return readHeld(value);
  if (!isJsonObject(value)) return { ok: false, detail: NO_SERVER };
  const registered = readRegistryServer(value);
  if (registered !== undefined) return registered;
  const held = heldIn(value) ?? NESTING.map((key) => heldIn(value[key])).find((one) => one !== undefined);
  if (held !== undefined) return readHeld(held.value, held.key === 'tool_servers');
  return readHeld(isServer(value) ? { [nameOf(value)]: value } : value);
}

function heldIn(value: Json | undefined): { key: string; value: Json } | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const [key, held] of Object.entries(value)) {
    // `amp.mcpServers`
    const name = key.split('.').at(-1) ?? key;
    if (!HOLDERS.includes(name)) continue;
    if (Array.isArray(held)) return { key: name, value: held };
    const isHolder =
      isJsonObject(held) && !isServer(held) && (name !== 'mcp' || Object.values(held).some(isServerLike));
    if (isHolder) return { key: name, value: held };
  }
  return undefined;
}

function isServerLike(value: Json): boolean {
  return isJsonObject(value) && isServer(value);
}

function readHeld(held: Json, isOwn = false): Reading {
  const entries: [string, Json][] = Array.isArray(held)
    ? held.map((one) => [isJsonObject(one) && isServer(one) ? nameOf(one) : 'server', one])
    : Object.entries(isJsonObject(held) ? held : {});
  const servers: PastedServer[] = [];
  const builtIn: string[] = [];
  for (const [name, entry] of entries) {
    if (isJsonObject(entry) && BUILT_IN.includes(String(entry['type']))) builtIn.push(name);
    else if (isServerLike(entry))
      servers.push(isOwn ? ownEntry(name, entry as JsonObject) : readEntry(name, entry as JsonObject));
  }
  const [first] = servers;
  if (first === undefined) return { ok: false, detail: NO_SERVER };
  const [left] = entries.find(([name, entry]) => !isServerLike(entry) && !builtIn.includes(name)) ?? [];
  if (left !== undefined) {
    return {
      ok: false,
      detail: `${JSON.stringify(left.slice(0, 80))} has no \`command\`, \`url\` or \`document\`; add one, or remove it.`,
    };
  }
  if (builtIn.length > 0) {
    first.notes.push(
      `Left out, because only the other client has it: ${builtIn.map((name) => name.slice(0, 40)).join(', ')}.`,
    );
  }
  return { ok: true, servers };
}

/** An entry that Cuebook itself would read. */
function ownEntry(name: string, entry: JsonObject): PastedServer {
  return entry['type'] === 'stdio' ? { name, entry, notes: [] } : readEntry(name, entry);
}
