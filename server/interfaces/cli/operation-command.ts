// Commands that send one operation and print its answer. The arguments are the path parameters of the operation, and
// each option sets one of its fields.
import { type Command, Option } from 'commander';
import { type Answer, type AnsweringOperation, type Input, pathParametersOf } from '../../../shared/api/index.ts';
import { show } from './output.ts';

export interface OperationCommand<Name extends AnsweringOperation> {
  operation: Name;
  /** The names of arguments in help where they are not those of the path parameters: `workflow` for `name`. */
  argumentNames?: Readonly<Record<string, string>>;
  /** The fields that the caller may set: `dry_run` becomes `--dry-run`. */
  options?: { readonly [Field in keyof Input<Name>]?: FieldOption };
  /** The answer for people; its JSON if absent. */
  text?: (answer: Answer<Name>, input: Input<Name>) => string;
}

interface FieldOption {
  description: string;
  /** What help calls the value, such as `time`; `number` is sent as a number. Absent: the option has no value. */
  value?: string;
  isRequired?: boolean;
}

/**
 * Completes a command so that it sends an operation and prints the answer.
 * @param command has its name, its description and the options of every command that calls a server
 * @example sendsOperation(attached(command('explain', 'summarize what a run did')), { operation: 'explain_run' })
 */
export function sendsOperation<Name extends AnsweringOperation>(
  command: Command,
  { operation, argumentNames = {}, options = {}, text }: OperationCommand<Name>,
): void {
  const parameters = pathParametersOf(operation);
  for (const name of parameters) command.argument(`<${(argumentNames[name] ?? name).replaceAll('_', '-')}>`);
  const fields = Object.entries<FieldOption>(options as Record<string, FieldOption>).map(([field, described]) => {
    const option = fieldOption(field, described);
    command.addOption(option);
    return [field, option.attributeName()] as const;
  });
  command.action(async () => {
    const given = command.opts<{ org?: string; json?: boolean; [option: string]: unknown }>();
    // The service checks the values.
    const input = Object.fromEntries([
      ['org', given.org],
      ...parameters.map((name, index) => [name, command.processedArgs[index]]),
      ...fields.map(([field, attribute]) => [field, given[attribute]]),
    ]) as Input<Name>;
    const { withClient } = await import('./attach.ts');
    const answer = await withClient(given, { whenAbsent: 'refuse' }, (client) => client.call(operation, input));
    show(given, answer, () => text?.(answer, input) ?? JSON.stringify(answer, null, 2));
  });
}

function fieldOption(field: string, { description, value, isRequired = false }: FieldOption): Option {
  const flag = `--${field.replaceAll('_', '-')}`;
  const option = new Option(value === undefined ? flag : `${flag} <${value}>`, description);
  if (value === 'number') option.argParser((text: string) => (Number.isNaN(Number(text)) ? text : Number(text)));
  return option.makeOptionMandatory(isRequired);
}
