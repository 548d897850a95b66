// The kinds of definitions as examples see them: without a store, tools, secrets and hosts, and without models unless they
// are passed in. What an example could reach is not there, so that running one has no effect.
import { checkPublishedEvent } from '../events/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { TextWork } from '../../lib/text-work/index.ts';
import type { Languages } from '../../kinds/languages.ts';
import { NO_MODELS, type RunModels } from '../../kinds/models.ts';
import { createKinds, type Kinds } from '../../kinds/registry.ts';
import { ANY_TOOLS } from '../../kinds/tools.ts';

export interface ExampleKindsOptions {
  languages: Languages;
  schemas: SchemaChecker;
  textWork: TextWork;
  clock: Clock;
  /** The product's version, which expressions may read. */
  version: string;
  /** Absent: examples of reasoning functions are rendered, and not run. */
  models?: RunModels | undefined;
}

export function createExampleKinds({ models = NO_MODELS, ...options }: ExampleKindsOptions): Kinds {
  return createKinds({
    ...options,
    models,
    checkEvent: checkPublishedEvent,
    // Hosts and secrets are settings of a server, not of a definition: every host is permitted, and there are no secrets.
    grants: { hosts: () => () => true, namedHosts: () => () => true, secrets: () => ({}) },
    playbookTools: ANY_TOOLS,
    requestUrl: () => '',
  });
}
