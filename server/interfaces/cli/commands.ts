// The commands, in the order of the help. The code of a command is loaded when it is called.
import { type Command, Option } from 'commander';
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts';
import { optionName, SERVER_SETTINGS, SETTING_NAMES } from '../../settings/index.ts';
import type { ExitCode } from './failure.ts';
import { sendsOperation } from './operation-command.ts';
import { explanationText, schedulesText, scheduleText } from './operation-texts.ts';

/** The command that was called: its exit code, and whether it prints JSON. */
export interface CalledCommand {
  code: ExitCode;
  json: boolean;
}

/** @param called receives the exit code of the command */
export function addCommands(program: Command, called: CalledCommand): void {
  addServerCommands(program);
  addRunCommands(program);
  addPredictionCommands(program);
  addFolderCommands(program, called);
  addAccessCommands(program);
  addDatabaseCommands(program);
}

function add(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description).exitOverride();
}

const DATA_DIR = ['--data-dir <folder>', 'the data directory, instead of DATA_DIR'] as const;
const JSON_OUTPUT = ['--json', 'print JSON'] as const;
const OWN_RUN_ID = [
  '--run-id <uuid>',
  'your own run id, as an idempotency key: repeating the command returns the same run',
] as const;

/** A command that may call a server. */
function addForServer(parent: Command, usage: string, description: string): Command {
  return add(parent, usage, description)
    .option(
      '--server <url>',
      'the address of a server; for a published server, the API key in CUEBOOK_KEY is used, or the login of cuebook login',
    )
    .option(...DATA_DIR)
    .option('--org <org>', 'the org, instead of that of the key or the login');
}

/** A command that calls a server and prints the answer. */
function addCall(parent: Command, usage: string, description: string): Command {
  return addForServer(parent, usage, description).option(
    '--json',
    'print JSON; an error is printed as its problem document',
  );
}

function addServerCommands(program: Command): void {
  const serve = program
    .command('serve', { isDefault: true })
    .description('serve the HTTP API (the default)')
    .exitOverride();
  for (const name of SETTING_NAMES) {
    const { option } = SERVER_SETTINGS[name];
    if (option !== undefined) serve.option(`--${optionName(name)} <${option.argument}>`, option.meaning);
  }
  serve
    .option(...DATA_DIR)
    .option('--sample', 'create the sample playbook if it does not exist')
    .addOption(
      new Option(
        '--until-idle <seconds>',
        'exit after this many seconds without a client, run, trigger or timer',
      ).hideHelp(),
    )
    .action(async (options) => (await import('./serve.ts')).serve(options));
  const addSession = (usage: string, description: string): Command =>
    addForServer(program, usage, description)
      .option(
        '--playbook <playbook>',
        'connect to one playbook: fewer tools with fewer arguments, plus the definitions that it exposes as tools',
      )
      .option('--read', 'offer only read-only tools');
  addSession('mcp', 'serve MCP over standard input and output, for agents that start their own servers').action(
    async (options) => (await import('./mcp/index.ts')).mcp(options),
  );
  addSession(
    'connect <client>',
    'print the configuration that adds Cuebook to claude-desktop, claude-code, cursor or vscode',
  )
    .option('--write', "write it to the client's configuration file, keeping the rest of the file")
    .option(...JSON_OUTPUT)
    .action(async (client, options) => (await import('./connect/index.ts')).connect(client, options));
}

function addRunCommands(program: Command): void {
  addCall(program, 'run <playbook> [definition]', 'run a definition, given as TYPE/NAME, and print its output')
    .option('--input <json>', 'the input: JSON, @FILE to read a file, or - to read standard input')
    .option(...OWN_RUN_ID)
    .option('--wait', 'if the run is waiting, wait until it ends')
    .option('--version <number>', 'a version other than the current one; not for recall and prediction functions')
    .option('--model <reference>', 'the model of a reasoning function, instead of the one in the document')
    .option('--draft <file>', 'run the document in a file without saving a version; nothing is recorded')
    .option('--call-tools', 'with --draft: call tools and HTTP services, instead of only checking them')
    .option('--call-models', 'with --draft: run the reasoning functions that a workflow calls')
    .action(async (playbook, definition, options) => (await import('./run.ts')).run(playbook, definition, options));
  addCall(program, 'rerun <playbook> <run-id>', 'run a workflow again from a step, with the results before it')
    .requiredOption('--from <step>', 'the step to begin with: its name or its JSON Pointer')
    .option('--iterations <numbers>', 'for a step in loops: the iteration of each, outermost first, such as 3 or 0.3')
    .option('--version <number>', 'the version of the workflow, instead of the one that the run used')
    .option('--run-id <uuid>', 'your own id for the new run: repeating the command returns the same run')
    .option('--wait', 'wait until the new run ends')
    .action(async (playbook, runId, options) => (await import('./run.ts')).rerun(playbook, runId, options));
  sendsOperation(addCall(program, 'explain', 'summarize what a run did, one line per step'), {
    operation: 'explain_run',
    text: explanationText,
  });
  sendsOperation(addCall(program, 'schedules', 'list what the clock starts, with the next times'), {
    operation: 'list_schedules',
    text: schedulesText,
  });
  addScheduleCommands(add(program, 'schedule', 'pause a schedule, resume it, or run the times that it missed'));
  addCall(program, 'history <playbook> <run-id>', 'print the history of a run').action(
    async (playbook, runId, options) => (await import('./history.ts')).history(playbook, runId, options),
  );
  addCall(program, 'inbox [playbook] [run-id]', 'list open requests and answer them')
    .option('--to <party>', 'only requests to this party')
    .option('--answer <answer>', 'the answer to the request of the given run: JSON, or text such as yes')
    .option('--for <party>', 'the party on whose behalf you answer')
    .action(async (playbook, runId, options) => (await import('./inbox.ts')).inbox(playbook, runId, options));
}

function addScheduleCommands(schedule: Command): void {
  for (const name of ['pause', 'resume'] as const) {
    sendsOperation(addCall(schedule, name, `${name} the schedule of a workflow`), {
      operation: `${name}_schedule`,
      argumentNames: { name: 'workflow' },
      text: scheduleText,
    });
  }
  addCall(
    schedule,
    'backfill <playbook> <workflow>',
    'print the times of a period with their runs, and run those that were missed',
  )
    .requiredOption('--from <time>', 'the beginning of the period, such as 2026-03-02T00:00:00Z')
    .option('--until <time>', 'the end of the period, instead of now')
    .option('--run', 'run the missed times, at most 100, instead of only printing them')
    .action(async (playbook, workflow, options) =>
      (await import('./backfill.ts')).backfill(playbook, workflow, options),
    );
}

function addPredictionCommands(program: Command): void {
  const dataset = add(program, 'dataset', 'work with the datasets of prediction functions');
  addCall(dataset, 'upload <playbook> <file>', 'upload a CSV file as a dataset').action(
    async (playbook, file, options) => (await import('./dataset.ts')).uploadDataset(playbook, file, options),
  );
  addCall(
    program,
    'build <playbook> <prediction>',
    'start a build of a prediction function, which asks its trainer for models',
  )
    .option('--dataset <sha256>', 'the dataset, instead of the newest')
    .option(...OWN_RUN_ID)
    .option('--wait', 'wait until the build ends')
    .action(async (playbook, name, options) => (await import('./predictions.ts')).build(playbook, name, options));
  addCall(program, 'train <playbook>', 'answer the builds that wait for a trainer with linear models')
    .option('--party <party>', 'only builds that ask this party')
    .option('--watch', 'keep answering builds until stopped')
    .action(async (playbook, options) => (await import('./predictions.ts')).train(playbook, options));
  addCall(program, 'predict <playbook> <prediction> <series>', 'print the forecast of a series')
    .option('--horizon <periods>', 'only the period that many ahead, instead of all')
    .action(async (playbook, name, series, options) =>
      (await import('./predictions.ts')).predict(playbook, name, series, options),
    );
}

function addFolderCommands(program: Command, called: CalledCommand): void {
  addCall(program, 'apply <folder>', 'update a playbook to match a folder')
    .option('--prune', 'permanently retire definitions that are not in the folder')
    .option('--watch', 'apply again whenever a file is saved')
    .action(async (folder, options) => (await import('./apply.ts')).apply(folder, options));
  addCall(program, 'diff <folder>', 'show what apply would change; exit with 1 if apply would be refused')
    .option('--prune', 'show what apply --prune would change')
    .action(async (folder, options) => {
      called.code = await (await import('./diff.ts')).diff(folder, options);
    });
  addCall(
    program,
    'export <playbook> <folder>',
    'write the definitions of a playbook to a folder, or to a zip archive NAME.zip',
  ).action(async (playbook, folder, options) =>
    (await import('./export.ts')).exportPlaybook(playbook, folder, options),
  );
  addCall(
    program,
    'import <file>',
    'show what a zip archive of a playbook would create and change, and import it; exit with 1 if it is refused',
  )
    .option('--as <playbook>', 'import into this playbook, instead of the one that the archive names')
    .option('-y, --yes', 'import without asking')
    .action(async (file, options) => {
      called.code = await (await import('./import.ts')).importPlaybook(file, options);
    });
  add(program, 'test <folder>', 'run the examples of the definitions in a folder, without a server')
    .option(
      '--live',
      'call the configured models for examples of reasoning functions, instead of only rendering their prompts',
    )
    .option('--data-dir <folder>', 'with --live: the data directory to read settings from, instead of DATA_DIR')
    .option(...JSON_OUTPUT)
    .action(async (folder, options) => {
      called.code = await (await import('./test.ts')).test(folder, options);
    });
  addCall(
    program,
    'eval <definition>',
    'run the cases of a definition, given as PLAYBOOK/TYPE/NAME, against versions and models; exit with 1 if a case does not pass',
  )
    .option(
      '--cases <file>',
      'the cases, one JSON object a line, instead of NAME.cases.jsonl here or in the folder PLAYBOOK',
    )
    .option('--versions <list>', 'versions separated by commas, instead of the current one')
    .option('--models <list>', 'for a reasoning function: models separated by commas, instead of that of the document')
    .option('--concurrency <number>', 'runs at the same time, from 1 to 32', '4')
    .option('--wait <seconds>', 'how long to wait for a run that continues in the background', '60')
    .option('--prices <file>', 'prices of models for a million tokens, as JSON')
    .option('--id <id>', 'the id of an interrupted evaluation: cases that have ended are not run again')
    .action(async (definition, options) => {
      called.code = await (await import('./eval/index.ts')).evaluate(definition, options);
    });
}

function addAccessCommands(program: Command): void {
  add(program, 'docs', 'serve the documentation as web pages, with a search API')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <number>', 'the port; 0 picks a free port', '4800')
    .option('--url <address>', 'the public address, if it differs from the address to listen on')
    .action(async (options) => (await import('./docs.ts')).docs(options));
  const keys = add(program, 'keys', 'create API keys for a published server, and list those that are configured');
  add(keys, 'create', 'print a new API key once, and the entry that configures it')
    .requiredOption('--name <name>', 'the name of the key; calls are recorded as key:NAME')
    .requiredOption('--org <org>', 'the org that the key is for')
    .requiredOption('--permissions <list>', `separated by commas: ${ALL_PERMISSIONS.join(', ')}`)
    .option('--playbooks <list>', 'only these playbooks, separated by commas')
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import('./keys.ts')).create(options));
  add(keys, 'list', 'list the configured API keys, without their digests')
    .option(...DATA_DIR)
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import('./keys.ts')).list(options));
  const addSignIn = (name: string, description: string): Command =>
    add(program, name, description)
      .requiredOption('--server <url>', 'the public address of the server')
      .option('--data-dir <folder>', 'the data directory that stores the login, instead of DATA_DIR')
      .option(...JSON_OUTPUT);
  addSignIn('login', 'sign in to a published server; commands with --server then use the login')
    .option(
      '--browser',
      'sign in in a browser on this machine, even if the identity service can issue a code for another device',
    )
    .option('--client-id <id>', 'a client that is registered at the identity service, instead of registering one')
    .action(async (options) => (await import('./login/index.ts')).login(options));
  addSignIn('logout', 'remove the login for a server, and revoke it at the identity service').action(async (options) =>
    (await import('./login/index.ts')).logout(options),
  );
}

function addDatabaseCommands(program: Command): void {
  add(
    program,
    'backup <file>',
    'copy the SQLite database to a new file, also while the server is running, and check the copy',
  )
    .option(...DATA_DIR)
    .action(async (file, options) => (await import('./backup.ts')).backup(file, options));
  add(program, 'restore <file>', 'put a backup into an empty data directory')
    .option(...DATA_DIR)
    .action(async (file, options) => (await import('./backup.ts')).restore(file, options));
  add(
    program,
    'move',
    'copy a SQLite database into an empty PostgreSQL schema, and check the copy; stop the server first',
  )
    .option('--from <url>', 'the source, as sqlite:FILE; the database of the data directory if absent')
    .option(
      '--to <url>',
      'the target, as postgres://...; DATABASE_URL if absent, which keeps the password off the command line',
    )
    .option(...DATA_DIR)
    .action(async (options) => (await import('./move.ts')).move(options));
  add(program, 'doctor', 'show the settings and the size of the database')
    .option('--rotate-key', 're-encrypt every secret with a new data key; stop the server first')
    .option(...DATA_DIR)
    .option('--rebuild', 'rebuild the read tables from the event log; stop the server first')
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import('./doctor.ts')).doctor(options));
}
