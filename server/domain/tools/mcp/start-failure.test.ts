import { describe, expect, test } from 'vitest';
import { likelyCause, whyNotStarted } from './start-failure.ts';

const causeOf = (code: number, ...lines: string[]): string | undefined =>
  likelyCause(lines, { code, signal: null }, () => false);

describe('the likely cause', () => {
  const PACKAGE = /package or image was not found/;
  const PROGRAM = /no program of that name/;
  const VERSION = /needs another version/;
  const FILE = /file or module that it needs/;
  const PORT = /port that it listens on is in use/;
  const ARGUMENTS = /check `args` of its entry/;
  test.each<[string, RegExp, string]>([
    ['bunx', PACKAGE, 'error: GET [address] - 404'],
    ['deno', PACKAGE, "error: npm package '@acme/notes' does not exist."],
    ['deno with JSR', PACKAGE, 'error: JSR package not found: @acme/notes'],
    ['npx with a wrong name', PACKAGE, 'npm error code EINVALIDPACKAGENAME'],
    ['pipx', PACKAGE, 'ERROR: No matching distribution found for notes-mcp'],
    ['pipx, with another program', PROGRAM, "'notes' executable script not found in package 'notes-mcp'."],
    ['bun, with another script', PROGRAM, 'error: Script not found "notes"'],
    ['npx without a login', /registry .* rejected its credential/, 'npm error code E401'],
    ['npx behind a proxy', /certificate is not trusted/, 'npm error code SELF_SIGNED_CERT_IN_CHAIN'],
    ['uvx behind a proxy', /certificate is not trusted/, 'Caused by: invalid peer certificate: UnknownIssuer'],
    [
      'npx without a network',
      /could not be reached; check the network/,
      'npm error ETIMEDOUT request to [address] failed',
    ],
    ['npx on a full disk', /disk is full/, 'npm error ENOSPC: no space left on device, write'],
    ['docker with -t', /wants a terminal/, 'the input device is not a TTY'],
    [
      'docker with a name',
      /remove `--name`/,
      'Conflict. The container name "/notes" is already in use by container "a".',
    ],
    ['docker with a port', PORT, 'Bind for [address] failed: port is already allocated'],
    [
      'a port on Windows',
      PORT,
      'OSError: [WinError 10048] Only one usage of each socket address is normally permitted',
    ],
    ['a port in words', PORT, 'Error: Port 3000 is already in use'],
    [
      'an image without the program',
      /program that it starts was not found/,
      'exec: "notes": executable file not found in $PATH',
    ],
    [
      'uvx without Python',
      VERSION,
      'error: No interpreter found for Python >=3.12 in managed installations or search path',
    ],
    ['an old system', VERSION, "./notes: [path]: version `GLIBC_2.34' not found (required by ./notes)"],
    [
      'an old Java',
      VERSION,
      'java.lang.UnsupportedClassVersionError: Notes has been compiled by a more recent version',
    ],
    ['a missing jar', FILE, 'Error: Unable to access jarfile [path]'],
    ['a missing script of deno', FILE, 'error: Module not found "[address]".'],
    ['a wrong module of Python', FILE, '[path]: No module named notes.__main__'],
    [
      'deno without a permission',
      /lacks a permission/,
      'error: Uncaught NotCapable: Requires net access, run again with --allow-net',
    ],
    ['a database that is down', /service that it needs/, 'Error: connect ECONNREFUSED [address]'],
    [
      'a wrong password',
      /credential that it uses was rejected/,
      'FATAL:  password authentication failed for user "notes"',
    ],
    [
      'little memory',
      /too little memory/,
      'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    ],
    ['a wrong option', ARGUMENTS, "error: unknown option '--notes'"],
    ['a wrong argument of Python', ARGUMENTS, 'notes: error: unrecognized arguments: --notes'],
    ['a missing argument', ARGUMENTS, 'notes: error: the following arguments are required: --folder'],
    ['how it is used', ARGUMENTS, 'Usage: notes-mcp <folder>'],
  ])('of %s', (_what, words, line) => expect(causeOf(1, 'Starting', line)).toMatch(words));

  test('names variables that are missing, in the words of several languages', () => {
    const missing = (...lines: string[]): string => causeOf(1, ...lines) ?? '';
    expect(missing('1 validation error for Settings', 'NOTES_TOKEN', 'Field required [type=missing]')).toContain(
      'The variable NOTES_TOKEN is missing',
    );
    expect(missing("KeyError: 'NOTES_API_TOKEN'")).toContain('NOTES_API_TOKEN is missing');
    expect(missing('panic: NOTES_URL must be set; NOTES_KEY must be set')).toContain('NOTES_URL, NOTES_KEY');
    expect(missing('Usage: notes', 'error: NOTES_DIR is required')).toContain('NOTES_DIR is missing');
  });

  test('is not guessed', () => {
    expect(causeOf(1, 'something else')).toBeUndefined();
    expect(causeOf(0)).toBeUndefined();
  });
});

test.each<[string, string, RegExp]>([
  ['notes-mcp', 'ENOENT', /not in the PATH of Cuebook/],
  ['npx -y notes-mcp', 'ENOENT', /each argument as an item of `args`/],
  ['~/bin/notes', 'ENOENT', /`~` is not replaced/],
  ['./notes.sh', 'ENOENT', /path in `command`/],
  ['/srv/notes', 'EACCES', /a folder, or may not be executed/],
  ['notes', 'E2BIG', /too long/],
])('the program %s that fails with %s could not be started for a reason that is said', (command, code, words) => {
  expect(whyNotStarted(command, code)).toMatch(words);
  expect(whyNotStarted(command, code)).not.toContain('notes');
});
