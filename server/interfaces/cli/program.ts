// The command line: how it is called, and the exit code of each failure. The commands are in `commands.ts`.
import { Command, CommanderError } from 'commander';
import { nearestName } from '../../../shared/nearest-name.ts';
import { UnusableStoreError } from '../../kernel/log/index.ts';
import { Refused } from '../../lib/rejection.ts';
import { SettingsError } from '../../settings/index.ts';
import { FULL_VERSION } from '../../runtime/version.ts';
import { addCommands, type CalledCommand } from './commands.ts';
import { CommandFailure, EXIT, type ExitCode, misused } from './failure.ts';
import { progress, show } from './output.ts';

/** Runs the command line and returns the exit code. The code of a command is loaded when it is called. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  const called: CalledCommand = { code: EXIT.done, json: false };
  try {
    const program = createProgram(called);
    refuseUnknown(program, args[0]);
    await program.parseAsync(args, { from: 'user' });
    return called.code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misused;
    if (error instanceof CommandFailure) return fail(called, error.message, error.exitCode, error.data);
    if (error instanceof SettingsError) return fail(called, error.message, EXIT.misused);
    if (error instanceof UnusableStoreError) return fail(called, error.message, EXIT.store);
    // Thrown by a command that uses the database without a server.
    if (error instanceof Refused)
      return fail(called, error.message, error.rejection.reason === 'unavailable' ? EXIT.store : EXIT.failed);
    throw error;
  }
}

function fail(
  { json }: CalledCommand,
  sentence: string,
  code: ExitCode,
  data: object = { detail: sentence },
): ExitCode {
  progress(sentence);
  if (json) show({ json }, data, () => sentence);
  return code;
}

/** Without this, an unknown first word would be read as an argument of `serve`. */
function refuseUnknown(program: Command, word: string | undefined): void {
  const known = [...program.commands.map((command) => command.name()), 'help'];
  if (word === undefined || word.startsWith('-') || known.includes(word)) return;
  const near = nearestName(word, known);
  const hint = near === undefined ? '' : `Did you mean ${near}? `;
  throw misused(`Unknown command ${JSON.stringify(word)}. ${hint}Run cuebook --help to list the commands.`);
}

/** @param called receives the exit code of the command */
export function createProgram(called: CalledCommand): Command {
  const program = new Command('cuebook')
    .description('A local-first runtime for agent playbooks.')
    .version(FULL_VERSION)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('Run with --help to list the arguments and options.')
    .hook('preAction', (_, command) => {
      called.json = command.opts<{ json?: boolean }>().json === true;
    });
  addCommands(program, called);
  return program;
}
