// Whether a command line starts an MCP server. A text of any other kind is never taken for a program.

export type CommandVerdict = 'server' | { refusal: string };

const UNKNOWN_PROGRAM =
  'It is not clear that the text is a command that starts an MCP server. To add a program of any name, paste it as JSON: {"command": "PROGRAM", "args": []}.';
const NO_SCHEME = 'An address begins with https:// or http://.';
const INSPECTOR = 'The MCP Inspector is a client. Paste the command or the address that it is given.';
const REMOTE = /^https?:\/\//i;

const refused = (refusal: string): CommandVerdict => ({ refusal });
const notRun = (what: string): CommandVerdict =>
  refused(`\`${what}\` starts no MCP server; run it yourself, and paste the command that starts the server.`);

/** Words that other programs of the command line begin with, and words of sentences. */
const NO_SERVERS = new Set(
  `git curl wget brew apt apt-get yum dnf winget choco scoop sudo cd mkdir cp mv rm ls cat echo touch chmod chown source kubectl
  helm make cmake ssh scp tar unzip open start which where code cursor claude codex gemini goose amp droid qwen copilot opencode vim nano export set setx ollama`.split(
    /\s+/,
  ),
);
const WORDS = new Set(
  'add install use run the a an please this that to for with in your my you it is server servers mcp first then'.split(
    ' ',
  ),
);

/** What starts a package or a file: whether its arguments do. */
const STARTERS: Readonly<Record<string, (args: readonly string[]) => CommandVerdict>> = {
  npx: startsPackage,
  bunx: startsPackage,
  pnpx: startsPackage,
  uvx: startsPackage,
  dnx: startsPackage,
  npm: (args) => afterVerb('npm', args, ['exec', 'x', 'run', 'start']),
  pnpm: (args) => afterVerb('pnpm', args, ['dlx', 'exec', 'run', 'start']),
  yarn: (args) => afterVerb('yarn', args, ['dlx', 'exec', 'run', 'start']),
  bun: (args) => (args.some(isFile) ? 'server' : afterVerb('bun', args, ['x', 'run'])),
  deno: (args) => afterVerb('deno', args, ['run', 'task']),
  uv: (args) => (args.includes('run') ? 'server' : afterVerb('uv', args, ['tool'], 'run')),
  pipx: (args) => afterVerb('pipx', args, ['run']),
  poetry: (args) => afterVerb('poetry', args, ['run']),
  pdm: (args) => afterVerb('pdm', args, ['run']),
  nix: (args) => afterVerb('nix', args, ['run', 'shell']),
  docker: startsContainer,
  podman: startsContainer,
  go: (args) => afterVerb('go', args, ['run']),
  cargo: (args) => afterVerb('cargo', args, ['run']),
  dotnet: (args) => (args.some(isFile) ? 'server' : afterVerb('dotnet', args, ['run', 'tool'])),
  java: (args) => (args.includes('-jar') || args.includes('-cp') ? 'server' : refused(UNKNOWN_PROGRAM)),
  cmd: (args) => (args.length > 1 ? 'server' : refused(UNKNOWN_PROGRAM)),
  sh: (args) => (args.includes('-c') || args.some(isFile) ? 'server' : refused(UNKNOWN_PROGRAM)),
};
const SAME_AS: Readonly<Record<string, string>> = { bash: 'sh', zsh: 'sh', nerdctl: 'docker' };
const INTERPRETERS = new Set([
  'node',
  'python',
  'python3',
  'py',
  'ruby',
  'php',
  'perl',
  'tsx',
  'ts-node',
  'pwsh',
  'powershell',
]);

export function verdictOn(command: string, args: readonly string[]): CommandVerdict {
  // A setting, not a command.
  if (args[0] === '=') return refused(UNKNOWN_PROGRAM);
  const program = command.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '');
  const starter = STARTERS[SAME_AS[program] ?? program];
  if (starter !== undefined && Object.hasOwn(STARTERS, SAME_AS[program] ?? program)) return starter(args);
  if (INTERPRETERS.has(program)) return startsScript(program, args);
  if (NO_SERVERS.has(program)) return isServing(args) ? 'server' : notRun(program);
  // A command of a chat, such as `/plugin`.
  if (/^\/[a-z][a-z-]*$/.test(command)) return notRun(command);
  if (/^(?:~?\/|\.{1,2}[\\/]|[A-Za-z]:[\\/]|\\\\)[\w.~@(-]/.test(command)) return 'server';
  if (/^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?\/|^localhost[:/]/i.test(command)) return refused(NO_SCHEME);
  const isName = /^[a-z][\w.@-]{0,100}$/.test(command) && !WORDS.has(command);
  if (!isName || isSetUp(args)) return refused(UNKNOWN_PROGRAM);
  const isNamedSo = /mcp|server/.test(command) && args.every((word) => !WORDS.has(word));
  const isAskedSo =
    args.length <= 8 && args.some((word) => /^(?:--?[a-z][\w-]*(?:=.*)?|mcp|mcp-server|stdio|serve)$/.test(word));
  return isNamedSo || (isAskedSo && args.every((word) => !WORDS.has(word) || word === 'mcp' || word === 'server'))
    ? 'server'
    : refused(UNKNOWN_PROGRAM);
}

/** Some clients are servers as well: `claude mcp serve`, `codex mcp-server`. */
function isServing([first, second]: readonly string[]): boolean {
  return first === 'mcp-server' || (first === 'mcp' && second === 'serve');
}

/** `mcp add ...`: the set-up of a client. */
function isSetUp(args: readonly string[]): boolean {
  return args.some((word, at) => word === 'mcp' && /^(?:add|install|remove|list|get|import)/.test(args[at + 1] ?? ''));
}

function isFile(word: string): boolean {
  return !word.startsWith('-') && /[/\\.]/.test(word);
}

function startsPackage(args: readonly string[]): CommandVerdict {
  const words = args.filter((word) => !word.startsWith('-'));
  const [name = ''] = words;
  if (/^@modelcontextprotocol\/inspector(?:@|$)/.test(name)) return refused(INSPECTOR);
  if (name === '' || REMOTE.test(name) || !/^(?:[\w@.~/:+#=[\],-]|[<>!]=|[<>](?=\d))+$/.test(name))
    return refused(UNKNOWN_PROGRAM);
  return /^(?:install|add|setup)$/.test(words[1] ?? '') || /^(?:add-mcp|install-mcp)(?:@|$)/.test(name)
    ? refused('That command writes the configuration of another client; paste the server itself, or its JSON.')
    : 'server';
}

function afterVerb(program: string, args: readonly string[], verbs: readonly string[], then?: string): CommandVerdict {
  const words = args.filter((word) => !word.startsWith('-'));
  const [verb = ''] = words;
  if (verbs.includes(verb) && (then === undefined || words[1] === then)) return 'server';
  return notRun(program);
}

function startsContainer(args: readonly string[]): CommandVerdict {
  return args.includes('run') && args.length > args.indexOf('run') + 1
    ? 'server'
    : refused('Of the commands of a container program, only `run` starts an MCP server; paste that one.');
}

function startsScript(program: string, args: readonly string[]): CommandVerdict {
  const module = args[args.indexOf('-m') + 1];
  if (args.includes('-m'))
    return module === undefined || module === 'pip' || module === 'venv' ? notRun(program) : 'server';
  return args.some(isFile) || args.includes('-e') || args.includes('-c') ? 'server' : refused(UNKNOWN_PROGRAM);
}
