import type { PlaybookKey } from '../../../kernel/log/index.ts';
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Issue } from '../../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { SchemaCheck } from '../../../lib/schemas/index.ts';
import type { Sources } from '../../../lib/yaml/index.ts';

/** How a server of the standard's `call: mcp` is reached. */
export type McpTransport = { address: string } | { command: string; arguments: readonly string[] };

/** The issues of each value, checked against a schema that is valid itself. @throws Refused if that takes too long */
export type FitSchema = (schema: JsonObject, values: readonly Json[]) => Promise<readonly (readonly Issue[])[]>;

/** What a document is checked against. A look-up that is left out leads to no warning. */
export interface DocumentContext {
  sources: Pick<Sources, 'read'>;
  /** What is wrong with a jq expression in which the variables are bound, in a sentence; undefined: nothing. */
  checkExpression: (expression: string, variables: readonly string[]) => Promise<string | undefined>;
  /** What is wrong with a schema that an author gives, at pointers below `pointer`. */
  checkSchema(schema: Json, pointer: string): Promise<SchemaCheck>;
  fitSchema?: FitSchema;
  /** Whether the playbook has an active definition of the name. */
  definitionExists?: (type: DefinitionType, name: string) => boolean;
  nearestDefinition?: (type: DefinitionType, name: string) => string | undefined;
  /** Why the playbook may not use a tool, SERVER/TOOL, in a sentence; undefined where nothing speaks against it. */
  whyToolUnavailable?: (tool: string) => string | undefined;
  /** Whether the operator gives workflows of the playbook a secret. */
  secretGiven?(name: string): boolean;
  /** Whether workflows may call a host; its port follows where it is not the scheme's own. */
  hostAllowed?: (host: string) => boolean;
  mcpServerExists?: (transport: McpTransport) => boolean;
  /** Id of the playbook. */
  playbook?: string;
  /** The playbook whose turn reading takes. */
  playbookKey?: PlaybookKey;
}
