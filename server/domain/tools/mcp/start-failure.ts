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
  let left = MOST_CHARACTERS;
  for (const line of lines.slice(-MOST_LINES).toReversed()) {
    if (left < 40) break;
    const shown = cutText(line, left);
    last.unshift(shown);
    left -= shown.length;
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
      /npm err\S* code e404|404 not found|is not in (?:this|the npm) registry|was not found in the (?:package registry|provided)|no matching distribution|no matching version|code etarget|code enoversions|pull access denied|manifest unknown|manifest for .* not found|repository does not exist|not found in registry|no such image|err_pnpm_fetch_404/,
    words: 'The package or image was not found; check its name and version.',
  },
  {
    pattern:
      /could not determine executable|no executables are provided|an executable named .* is not provided|missing script/,
    words: 'The package has no program of that name.',
  },
  {
    pattern: /\benotfound|eai_again|getaddrinfo|network is unreachable|could not resolve host|dns error|enetunreach/,
    words: 'An address could not be reached; check the network.',
  },
  {
    pattern: /cannot connect to the docker daemon|docker daemon running|error during connect/,
    words: 'The container service is not running.',
  },
  {
    pattern:
      /cannot find module|cannot find package|err_module_not_found|modulenotfounderror|no module named|no such file or directory|can't open file/,
    words: 'A file or module that it needs was not found.',
  },
  {
    pattern: /command not found|: not found$|is not recognized as an internal/,
    words: 'A program that it starts was not found.',
  },
  { pattern: /eaddrinuse|address already in use/, words: 'The port that it listens on is in use.' },
  {
    pattern: /ebadengine|unsupported engine|requires node|requires python|requires-python/,
    words: 'It needs another version of Node.js or Python.',
  },
  { pattern: /eacces|permission denied|operation not permitted/, words: 'It lacks a permission.' },
];

const VARIABLE = /(?<![\w$*])[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}(?!\w)/g;
const LACKS =
  /required|must be (?:set|provided|defined|specified|configured)|not (?:been )?(?:set|provided|defined|specified|configured|found)|missing|undefined|please (?:set|provide|configure|export|specify)|needs? to be set|expected|no value|keyerror|is empty|unset/i;
/** Constants of Node that stand in its messages. */
const NO_VARIABLES = /^(?:ERR|UV|MODULE|NODE_MODULE|EVENT|HTTP)_|_NOT_FOUND$|^NODE_VERSION$/;

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
    .filter((line) => LACKS.test(line))
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
