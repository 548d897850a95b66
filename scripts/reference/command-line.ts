import type { Argument, Command } from 'commander';
import { createProgram } from '../../server/interfaces/cli/program.ts';
import { code, page, type ReferencePage, table } from './markdown.ts';

export function commandLinePage(): ReferencePage {
  const program = createProgram({ code: 0, json: false });
  return page(
    'command-line.md',
    'The command line',
    '`npx cuebook COMMAND`; add `--help` to any command to see its options. Exit codes: 0 success, 1 the work failed, 2 invalid use, 3 the database failed. Data goes to stdout, progress to stderr.',
    program.commands.flatMap((command) => described(command, 'cuebook')),
  );
}

function described(command: Command, parent: string): string[] {
  const name = `${parent} ${command.name()}`;
  const argumentsOf = command.registeredArguments.map((argument) => ` ${argumentWords(argument)}`).join('');
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ flags, description, defaultValue }) => [
      code(flags),
      description + (defaultValue === undefined ? '' : ` (default: ${code(String(defaultValue))})`),
    ]);
  return [
    `## \`${name}${argumentsOf}\``,
    sentence(command.description()),
    ...table(['option', 'meaning'], options),
    ...command.commands.flatMap((subcommand) => described(subcommand, name)),
  ];
}

function argumentWords(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
