// The operations with which a person adds tool servers in local mode, from the configuration of another client, a
// command or an address.
import { createHash } from 'node:crypto';
import Type from 'typebox';
import { object, oneOf, optional, text } from '../../../../shared/schemas/fields.ts';
import { AddedToolServersSchema, ToolServerPlanSchema } from '../../../../shared/schemas/index.ts';
import { KIB } from '../../../../shared/product.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { conflict, forbidden, invalidInput } from '../../../lib/rejection.ts';
import { type TextWork, textJob } from '../../../lib/text-work/index.ts';
import { defineOperation, type Operation } from '../../../operations/index.ts';
import { type Mode, type Settings, SettingsError } from '../../../settings/index.ts';
import { type PlannedVariable, planServers, type SetUpPlan } from './plan.ts';
import type { AddressKind, Paste } from './read-paste.ts';
import type { readBoundedPaste } from './read-paste.job.ts';
import { shownConfig } from './shown-config.ts';

const PASTE = {
  text: text(
    'The configuration of another client (JSON with comments, YAML or TOML), commands that start or add servers, an install link, a `server.json`, the address of an MCP server, or the address or path of an OpenAPI document. It may contain secrets, which are not returned.',
    { minLength: 1, maxLength: 64 * KIB },
  ),
  address_is: optional(oneOf('What a pasted address is, if its path does not show it.', ['mcp', 'openapi'])),
};

const READ_PASTE = textJob<typeof readBoundedPaste>({
  module: new URL('./read-paste.job.ts', import.meta.url),
  name: 'readBoundedPaste',
  deadlineMs: 5000,
});

export interface ToolSetUpOptions {
  settings: Settings;
  mode: Mode;
  textWork: Pick<TextWork, 'run'>;
}

export function toolSetUpOperations({ settings, mode, textWork }: ToolSetUpOptions): Operation[] {
  const { files } = settings;
  const precheck = async (): Promise<void> => refusePublished(mode);
  const common = { tag: 'Tool servers', path: Type.Object({}), mcp: false, addition: true, precheck } as const;

  async function read(pasted: string, kind: AddressKind | undefined): Promise<Paste> {
    const paste = await textWork.run(READ_PASTE, { text: pasted, kind });
    return paste === 'unfinished'
      ? { ok: false, detail: 'Reading the text takes too long; paste fewer servers.' }
      : paste;
  }

  function plan(paste: Paste): SetUpPlan {
    if (!paste.ok) throw invalidInput([{ pointer: '/text', detail: paste.detail }]);
    // Otherwise a server that was added to the file a moment ago would be replaced by a pasted one of its name.
    if (files.stamp() !== files.readStamp()) refusingUnfit(() => files.readAgain());
    const planned = planServers(paste.servers, {
      taken: settings.toolServers().map(({ name }) => name),
      isSet: refusingUnfit(() => files.readVariables()),
    });
    if (planned.issues.length > 0) throw invalidInput(planned.issues);
    return planned;
  }

  return [
    defineOperation({
      ...common,
      name: 'plan_tool_servers',
      title: 'Preview pasted tool servers',
      description:
        'In local mode: returns how add_tool_servers would change the configuration file for a pasted text, and writes nothing. Secrets of the text become variables.',
      permissions: ['org:write'],
      method: 'POST',
      route: '/tool-server-setup/plan',
      fields: object(PASTE),
      output: ToolServerPlanSchema,
      problems: [],
      hints: { readOnly: true, destructive: false, idempotent: true },
      async handle(_call, { text: pasted, address_is: kind }) {
        refusePublished(mode);
        const { servers, variables } = plan(await read(pasted, kind));
        const given = Object.fromEntries(written(variables).map(({ name, value = 'missing' }) => [name, value]));
        const { before, after } = refusingUnfit(() => files.previewConfig(changeOf(servers), given));
        return {
          file: files.read().configFile.path,
          env_file: files.read().envFile.path,
          before: shownConfig(before),
          after: shownConfig(after),
          base: baseOf(files.stamp()),
          servers: servers.map(({ name, entry, notes }) => ({ name, type: typeOf(entry), notes })),
          variables: variables.map(({ name, server, field, state }) => ({ name, server, field, state })),
        };
      },
    }),
    defineOperation({
      ...common,
      name: 'add_tool_servers',
      title: 'Add pasted tool servers',
      description:
        'In local mode: adds the tool servers of a pasted text to the configuration file, which keeps its comments, and their secrets to the file `env` of the data directory, and uses both immediately. Programs are started on this machine when they are first needed.',
      permissions: ['org:write'],
      method: 'POST',
      route: '/tool-server-setup',
      fields: object({
        ...PASTE,
        base: text('The `base` that plan_tool_servers returned for this text.', { maxLength: 64 }),
        values: optional(
          Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 8 * KIB }), {
            description: 'The values of the variables whose `state` is `missing`, by name. They are not returned.',
          }),
        ),
      }),
      output: AddedToolServersSchema,
      problems: ['conflict'],
      hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      async handle(_call, { text: pasted, address_is: kind, base, values = {} }) {
        refusePublished(mode);
        const paste = await read(pasted, kind);
        if (base !== baseOf(files.stamp())) {
          throw conflict('The configuration or the env file changed after the preview; call plan_tool_servers again.');
        }
        const { servers, variables } = plan(paste);
        const given = withValues(written(variables), values);
        refusingUnfit(() => files.changeConfig(changeOf(servers), given));
        return {
          file: files.read().configFile.path,
          servers: servers.map(({ name, entry }) => ({ name, type: typeOf(entry) })),
        };
      },
    }),
  ];
}

/** @throws Refused `forbidden` on a published server */
function refusePublished(mode: Mode): void {
  if (mode === 'local') return;
  throw forbidden('On a published server the operator configures tool servers in its configuration file.');
}

function changeOf(servers: SetUpPlan['servers']) {
  return { merge: { tool_servers: Object.fromEntries(servers.map(({ name, entry }) => [name, entry])) } };
}

/** The variables that the env file gets. */
function written(variables: readonly PlannedVariable[]): PlannedVariable[] {
  return variables.filter(({ state }) => state !== 'set');
}

/** @throws Refused `invalid_input` for values that are missing, or that belong to no variable */
function withValues(
  variables: readonly PlannedVariable[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const missing = variables.filter(({ state }) => state === 'missing');
  const issues = [
    ...missing
      .filter(({ name }) => !Object.hasOwn(values, name))
      .map(({ name, server, field }) => ({
        pointer: `/values/${name}`,
        detail: `${server}.${field} needs a value; give it as the member ${name} of \`values\`.`,
      })),
    ...Object.keys(values)
      .filter((name) => !missing.some((one) => one.name === name))
      .map((name) => ({
        pointer: '/values',
        detail: `No variable ${JSON.stringify(name.slice(0, 80))} is missing; leave it out.`,
      })),
  ];
  if (issues.length > 0) throw invalidInput(issues);
  return Object.fromEntries(variables.map(({ name, value }) => [name, value ?? values[name] ?? '']));
}

function typeOf(entry: JsonObject): 'mcp' | 'stdio' | 'openapi' {
  const { type } = entry;
  return type === 'stdio' || type === 'openapi' ? type : 'mcp';
}

function baseOf(stamp: string): string {
  return createHash('sha256').update(stamp).digest('hex');
}

function refusingUnfit<T>(change: () => T): T {
  try {
    return change();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw invalidInput([{ pointer: '/text', detail: error.message }]);
  }
}
