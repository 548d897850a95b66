// Command lines, as READMEs and shells show them: with prompts, comments, variables set before, and several of them.
import { type Reading, readClientCommand } from './client-command.ts';
import { NO_SERVER } from './client-config.ts';
import { assignedIn, ASSIGNMENT, type PastedServer } from './pasted-entry.ts';
import { verdictOn } from './server-command.ts';
import { programName } from './server-names.ts';
import { type ShellWord, shellWords } from './shell-words.ts';
import { startableProgram } from './startable-program.ts';

const NO_SHELL = 'The program is started without a shell: paste one command without `|`, `&&` or `>`.';
/** Operators between commands; the others change what a command does. */
const BETWEEN = new Set(['\n', ';', '&&']);
const PROMPT =
  /^[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:PS [^>\n]{0,200}>|[A-Za-z]:\\[^>\n]{0,200}>|[\w.-]{1,80}@[\w.-]{1,80}:[^$#\n]{0,200}[$#](?=[ \t])|[$%❯➜>](?=[ \t]))?[ \t]*/gm;

interface Command {
  words: string[];
  usesShell: boolean;
}

/** The servers that the lines start or add. */
export function readCommands(text: string): Reading {
  const words = shellWords(text.replaceAll(PROMPT, ''));
  if (words === undefined) return { ok: false, detail: 'The command has a quote that is not closed.' };
  const servers: PastedServer[] = [];
  let refusal: string | undefined;
  let others = 0;
  let env: Record<string, string> = {};
  for (const command of commandsIn(words)) {
    const assigned = assignmentsOf(command.words);
    if (assigned !== undefined) {
      env = { ...env, ...assigned };
      continue;
    }
    const reading = readCommand(command, env);
    if (reading.ok) servers.push(...reading.servers);
    else {
      others += 1;
      refusal ??= reading.detail;
    }
  }
  const [first] = servers;
  if (first === undefined) return { ok: false, detail: refusal ?? NO_SERVER };
  if (refusal === NO_SHELL) return { ok: false, detail: NO_SHELL };
  if (others > 0) first.notes.push(`Not read: ${others === 1 ? 'another line' : `${others} other lines`} of the text.`);
  return { ok: true, servers };
}

function commandsIn(words: readonly ShellWord[]): Command[] {
  const commands: Command[] = [];
  let current: Command = { words: [], usesShell: false };
  for (const { text, operator } of words) {
    if (text !== undefined) current.words.push(text);
    else if (BETWEEN.has(operator)) {
      commands.push(current);
      current = { words: [], usesShell: false };
    } else current.usesShell = true;
  }
  return [...commands, current].filter((command) => command.words.length > 0);
}

/** Of `export A=1`, `set A=1`, `set -x A 1`, `setx A 1`, `$env:A = 1` and `A=1` alone; undefined for any other command. */
function assignmentsOf(words: readonly string[]): Record<string, string> | undefined {
  const [first = '', second, third] = words;
  const variable = /^\$env:([A-Za-z_]\w*)(?:=([^]*))?$/i.exec(first);
  if (variable !== null) {
    const [, name = '', value] = variable;
    return { [name]: value ?? (second === '=' ? (third ?? '') : (second ?? '')) };
  }
  if (first === 'set' || first === 'setx') {
    const [name = '', value, ...more] = words.slice(1).filter((word) => !/^-[a-zA-Z]{1,4}$/.test(word));
    if (/^[A-Za-z_]\w*$/.test(name) && value !== undefined && more.length === 0) return { [name]: value };
  }
  const rest = ['export', 'set', 'declare', 'setx'].includes(first) ? words.slice(1) : words;
  return rest.length > 0 && rest.every((word) => ASSIGNMENT.test(word)) ? assignedIn(rest) : undefined;
}

function readCommand({ words, usesShell }: Command, exported: Readonly<Record<string, string>>): Reading {
  const start = words.findIndex((word) => !ASSIGNMENT.test(word));
  const env = { ...exported, ...assignedIn(words.slice(0, start)) };
  const [command = '', ...args] = withoutPrefix(words.slice(start));
  const client = readClientCommand([command, ...args]);
  const verdict = client === undefined ? verdictOn(command, args) : 'server';
  if (verdict !== 'server') return { ok: false, detail: usesShell && args.length > 0 ? NO_SHELL : verdict.refusal };
  if (usesShell) return { ok: false, detail: NO_SHELL };
  if (client !== undefined) return client;
  const { entry, notes } = startableProgram({ command, args, env });
  return {
    ok: true,
    servers: [
      { name: programName(String(entry['command']), argsIn(entry['args'])), entry: { type: 'stdio', ...entry }, notes },
    ],
  };
}

/** Programs and words of a shell that only start the one behind them. */
const PREFIXES = new Set(['exec', 'nohup', 'time', 'command']);

function withoutPrefix(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !PREFIXES.has(word));
  return words.slice(Math.max(0, start));
}

function argsIn(args: unknown): string[] {
  return Array.isArray(args) ? args.map(String) : [];
}
