// The command line: what can be typed, and what each failure ends with.
import { Command, CommanderError, Option } from 'commander';
import { nearestName } from '../../../shared/nearest-name.ts';
import { LOCAL_ORG } from '../../../shared/product.ts';
import { UnusableStoreError } from '../../kernel/log/index.ts';
import { SettingsError } from '../../settings/index.ts';
import { VERSION } from '../../version.ts';
import { CommandFailure, EXIT, type ExitCode } from './failure.ts';
import { progress, show } from './output.ts';

/** Carries out the command line. Each command is loaded when it is called. Answers the exit code. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  const called: Called = { code: EXIT.done, json: false };
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
    throw error;
  }
}

/** The command that was called: what it ended with, and whether its data is written as JSON. */
interface Called {
  code: ExitCode;
  json: boolean;
}

function fail({ json }: Called, sentence: string, code: ExitCode, data: object = { detail: sentence }): ExitCode {
  progress(sentence);
  if (json) show({ json }, data, () => sentence);
  return code;
}

/** A first word that is no command would be taken for an argument of `serve`. */
function refuseUnknown(program: Command, word: string | undefined): void {
  const known = [...program.commands.map((command) => command.name()), 'help'];
  if (word === undefined || word.startsWith('-') || known.includes(word)) return;
  const near = nearestName(word, known);
  const meant = near === undefined ? '' : `Did you mean ${near}? `;
  throw new CommandFailure(
    `There is no command ${JSON.stringify(word)}. ${meant}cuebook --help shows them all.`,
    EXIT.misused,
  );
}

/** @param called is told what the command that was called ended with */
export function createProgram(called: Called): Command {
  const program = new Command('cuebook')
    .description('A local-first runtime for agent playbooks.')
    .version(VERSION)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('Add --help to see what can be given.')
    .hook('preAction', (_, command) => {
      called.json = command.opts<{ json?: boolean }>().json === true;
    });

  const command = (usage: string, description: string): Command =>
    program.command(usage).description(description).exitOverride();
  const attached = (made: Command): Command =>
    made
      .option('--server <url>', "a server's address; a published one's key is read from CUEBOOK_KEY")
      .option('--data-dir <folder>', 'the data directory, instead of DATA_DIR')
      .option('--org <org>', 'the org', LOCAL_ORG)
      .option('--json', 'write data as JSON; a refusal as its problem document');

  program
    .command('serve', { isDefault: true })
    .description('serve the HTTP API (the default)')
    .exitOverride()
    .option('--host <address>', 'a loopback address to listen on, instead of HOST')
    .option('--port <number>', 'the port, instead of PORT; 0 takes any free one')
    .option('--data-dir <folder>', 'the data directory, instead of DATA_DIR')
    .option('--sample', 'make the sample playbook where it is absent')
    .addOption(
      new Option(
        '--until-idle <seconds>',
        'end after so many seconds without a client, run, trigger or timer',
      ).hideHelp(),
    )
    .action(async (options) => (await import('./serve.ts')).serve(options));
  const session = (made: Command): Command =>
    made
      .option('--server <url>', "a server's address; a published one's key is read from CUEBOOK_KEY")
      .option('--data-dir <folder>', 'the data directory, instead of DATA_DIR')
      .option('--org <org>', 'the org')
      .option('--playbook <playbook>', 'one playbook: fewer tools with fewer arguments, and the definitions it exposes')
      .option('--read', 'offer reading tools alone');
  session(command('mcp', 'serve MCP on standard input and output, for an agent that starts its servers itself')).action(
    async (options) => (await import('./mcp/index.ts')).mcp(options),
  );
  session(command('connect <client>', 'print how claude-desktop, claude-code, cursor or vscode is told of Cuebook'))
    .option('--write', "write it into the client's configuration, keeping what is there")
    .option('--json', 'write data as JSON')
    .action(async (client, options) => (await import('./connect/index.ts')).connect(client, options));
  attached(command('run <playbook> <definition>', 'run a definition, named TYPE/NAME, and print its output'))
    .option('--input <json>', 'the input: JSON, @FILE, or - for standard input')
    .option('--run-id <uuid>', 'a run id of your own: the same command again meets the same run')
    .option('--wait', 'wait for the end of a workflow that waits')
    .action(async (playbook, definition, options) => (await import('./run.ts')).run(playbook, definition, options));
  attached(command('history <playbook> <run-id>', "print a run's history")).action(async (playbook, runId, options) =>
    (await import('./history.ts')).history(playbook, runId, options),
  );
  attached(command('inbox [playbook] [run-id]', 'list the requests that wait for an answer, and answer them'))
    .option('--to <party>', 'only requests to this party')
    .option('--answer <answer>', 'the answer to the run named: JSON, or words such as yes')
    .option('--for <whom>', 'on whose behalf it is answered')
    .action(async (playbook, runId, options) => (await import('./inbox.ts')).inbox(playbook, runId, options));
  attached(command('apply <folder>', 'bring a playbook to what a folder holds'))
    .option('--prune', 'retire, for ever, what the folder lacks')
    .option('--watch', 'apply again whenever a file is saved')
    .action(async (folder, options) => (await import('./apply.ts')).apply(folder, options));
  attached(command('diff <folder>', 'say what apply would change, and end with 1 where it would be refused'))
    .option('--prune', 'as if apply were given it')
    .action(async (folder, options) => {
      called.code = await (await import('./diff.ts')).diff(folder, options);
    });
  attached(command('export <playbook> <folder>', 'write a playbook as files into a folder')).action(
    async (playbook, folder, options) => (await import('./export.ts')).exportPlaybook(playbook, folder, options),
  );
  command('test <folder>', "carry out the examples of a folder's definitions, without a server")
    .option(
      '--live',
      'ask the models that are configured, instead of rendering the examples of reasoning functions alone',
    )
    .option('--data-dir <folder>', 'with --live: the data directory whose settings count, instead of DATA_DIR')
    .option('--json', 'write data as JSON')
    .action(async (folder, options) => {
      called.code = await (await import('./test.ts')).test(folder, options);
    });
  command('docs', 'serve the documentation: pages to read and search, and an API for both')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <number>', 'the port; 0 takes any free one', '4800')
    .option('--url <address>', 'the address that readers know, where it is another than the one listened on')
    .action(async (options) => (await import('./docs.ts')).docs(options));
  command('doctor', 'say what the settings are and what the store holds')
    .option('--rotate-key', 'seal every secret under a new data key; no runtime may live')
    .option('--data-dir <folder>', 'the data directory, instead of DATA_DIR')
    .option('--rebuild', 'fold the log into the read tables again')
    .option('--json', 'write data as JSON')
    .action(async (options) => (await import('./doctor.ts')).doctor(options));
  return program;
}
