// Why a program did not start as an MCP server, or ended, in words for callers.
import { cutText } from '../../../lib/cut-text.ts';

/** How a process ended. */
export interface ProcessEnd {
  code: number | null;
  signal: string | null;
}

const MOST_LINES = 8;
/** Characters of all lines together: the whole reason has at most 1 KiB. */
const MOST_CHARACTERS = 560;

/** `(exit code 1)` */
export function endWords({ code, signal }: ProcessEnd): string {
  if (signal !== null) return ` (signal ${signal})`;
  return code === null ? '' : ` (exit code ${code})`;
}

/** What the program wrote last, as the end of a reason; empty where it wrote nothing. */
export function lastWords(lines: readonly string[]): string {
  const last: string[] = [];
  let remaining = MOST_CHARACTERS;
  for (const line of lines.slice(-MOST_LINES).toReversed()) {
    if (remaining < 40) break;
    const shown = cutText(line, remaining);
    last.unshift(shown);
    remaining -= shown.length;
  }
  return last.length === 0 ? '' : ` Its last lines:\n${last.join('\n')}`;
}

interface Cause {
  /** Of a line, without regard to case. */
  pattern: RegExp;
  words: string;
}

const CAUSES: readonly Cause[] = [
  {
    pattern:
      /npm err\S* code e404|404 not found|\] - 404\b|is not in (?:this|the npm) registry|was not found in the (?:package registry|provided)|no matching distribution|no matching version|code etarget|code enoversions|pull access denied|manifest unknown|manifest for .* not found|repository does not exist|not found in registry|no such image|err_pnpm_fetch_404|npm package .* does not exist|jsr package not found|code einvalidpackagename|unable to find package/,
    words: 'The package or image was not found; check its name and version.',
  },
  {
    pattern:
      /could not determine executable|no executables are provided|an executable named .* is not provided|executable script not found in package|missing script|script not found/,
    words: 'The package has no program of that name.',
  },
  {
    pattern: /code e401\b|code e403\b|code eneedauth|unauthorized: authentication required|denied: requested access/,
    words: 'The registry of the package or image rejected its credential, or wants one.',
  },
  {
    pattern: /self.signed.cert|unable_to_verify|unable to (?:verify|get local) .*certificate|invalid peer certificate/,
    words: 'A certificate is not trusted; check the network, or a proxy in it.',
  },
  {
    pattern:
      /\benotfound|eai_again|getaddrinfo|network is unreachable|could not resolve host|dns error|enetunreach|etimedout|connection timed out/,
    words: 'An address could not be reached; check the network.',
  },
  {
    pattern: /cannot connect to the docker daemon|docker daemon running|error during connect|connect to podman/,
    words: 'The container service is not running.',
  },
  { pattern: /enospc|no space left on device/, words: 'The disk is full.' },
  {
    pattern: /not a tty|not a terminal/,
    words: 'It wants a terminal, and a tool server has none; remove `-t` from its arguments.',
  },
  {
    pattern: /container name .* is already in use/,
    words: 'A container of that name exists; remove it, or remove `--name` from the arguments.',
  },
  {
    pattern:
      /eaddrinuse|address already in use|port is already allocated|only one usage of each socket address|port \d{1,5} is (?:already )?in use/,
    words: 'The port that it listens on is in use.',
  },
  {
    pattern:
      /ebadengine|unsupported engine|requires node|requires python|requires-python|no interpreter found|unsupportedclassversionerror|glibc_\S* not found/,
    words: 'It needs another version of what it runs on, such as Node.js, Python or Java.',
  },
  {
    pattern:
      /cannot find module|cannot find package|module not found|err_module_not_found|modulenotfounderror|no module named|no such file or directory|can't open file|unable to access jarfile|could not find or load main class/,
    words: 'A file or module that it needs was not found.',
  },
  {
    pattern: /command not found|: not found$|is not recognized as an internal|executable file not found/,
    words: 'A program that it starts was not found.',
  },
  {
    pattern: /eacces|permission denied|operation not permitted|notcapable|permissiondenied/,
    words: 'It lacks a permission.',
  },
  { pattern: /econnrefused|connection refused/, words: 'A service that it needs could not be reached.' },
  {
    pattern: /authentication failed|invalid (?:api key|token|credentials)|\b401 unauthorized/,
    words: 'A credential that it uses was rejected.',
  },
  { pattern: /heap out of memory|out of memory|memoryerror/, words: 'It had too little memory.' },
  {
    pattern:
      /unknown (?:option|argument|command|flag)|unrecognized (?:option|argument)|unexpected argument|following arguments are required|missing required argument|flag provided but not defined|no such option|^usage:/,
    words: 'Its arguments are wrong or incomplete; check `args` of its entry.',
  },
];

const VARIABLE = /(?<![\w$*])[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}(?!\w)/g;
const LACKS =
  /required|must be (?:set|provided|defined|specified|configured)|not (?:been )?(?:set|provided|defined|specified|configured|found)|missing|undefined|please (?:set|provide|configure|export|specify)|needs? to be set|expected|no value|keyerror|is empty|unset/i;
/** Constants and versions that stand in messages. */
const NO_VARIABLES =
  /^(?:ERR|UV|MODULE|NODE_MODULE|EVENT|HTTP|GLIBC|GLIBCXX|CXXABI|SELF|DEPTH)_|_NOT_FOUND$|^NODE_VERSION$/;

/**
 * The likely cause in a sentence; undefined where the program gives no sign of one.
 * @param isSet whether the entry sets a variable
 */
export function likelyCause(
  lines: readonly string[],
  { code }: ProcessEnd,
  isSet: (variable: string) => boolean,
): string | undefined {
  const named = lines
    // Pydantic names the variable in a line of its own, above what is wrong with it.
    .filter((line, at) => LACKS.test(line) || (/^\w+$/.test(line) && LACKS.test(lines[at + 1] ?? '')))
    .flatMap((line) => line.match(VARIABLE) ?? [])
    .filter((name) => !isSet(name) && !NO_VARIABLES.test(name));
  const missing = [...new Set(named)].slice(0, 3);
  const cause = CAUSES.find(({ pattern }) => lines.some((line) => pattern.test(line.toLowerCase())));
  // A missing package prevents that a server checks its variables.
  if (cause !== undefined && CAUSES.indexOf(cause) < 2) return cause.words;
  if (missing.length === 1) return `The variable ${missing[0]} is missing; set it in \`env\` of its entry.`;
  if (missing.length > 1) return `Variables are missing: ${missing.join(', ')}; set them in \`env\` of its entry.`;
  if (cause !== undefined) return cause.words;
  if (code === 127) return 'A program that it starts was not found.';
  return code === 126 ? 'A program that it starts may not be executed.' : undefined;
}

/** Why a program could not be started at all; undefined if the code says no more. The command itself is not shown. */
export function whyNotStarted(command: string, code: unknown): string | undefined {
  if (code === 'E2BIG') return 'Its arguments and variables are too long.';
  if (command.startsWith('~')) return '`~` is not replaced in `command`; write the whole path.';
  if (/\s/.test(command.trim())) {
    return '`command` holds more than a program; write each argument as an item of `args`.';
  }
  if (code === 'EACCES') return 'The file that `command` names is a folder, or may not be executed.';
  if (/[\\/]/.test(command)) return 'Check the path in `command`, and the interpreter in the first line of the file.';
  return 'Install it, or write its whole path in `command`: it is not in the PATH of Cuebook.';
}
