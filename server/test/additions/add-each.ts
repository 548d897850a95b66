// The files and lines of each addition, as CONTRIBUTING.md ("Files to change") lists them.
import { mkdirSync, writeFileSync } from 'node:fs';
import type { CopiedTree } from './copied-tree.ts';

export function addEach(tree: CopiedTree): void {
  addKind(tree);
  addProvider(tree);
  addSettings(tree);
  addTaskType(tree);
  writeFileSync(tree.inTree('resources/guides/parrots.md'), '# Parrots\n\nThey repeat.\n');
}

function addKind(tree: CopiedTree): void {
  mkdirSync(tree.inTree('server/kinds/ballot'));
  for (const file of ['index.ts', 'ballot.ts']) {
    tree.addFile(`ballot/${file}`, `server/kinds/ballot/${file}`, { from: '../../../', to: '../../' });
  }
  tree.addLine(
    'shared/definition-types.ts',
    "  computation: { icon: 'calculator', language: 'typescript' },",
    "  ballot: { icon: 'question', language: 'yaml', mayAsk: true, mayWait: true },",
  );
  const registry = 'server/kinds/registry.ts';
  tree.addLine(
    registry,
    "import { createComputationKind } from './computation/index.ts';",
    "import { createBallotKind } from './ballot/index.ts';",
  );
  tree.addLine(registry, '    byType: {', '      ballot: createBallotKind({ sources }),');
}

function addProvider(tree: CopiedTree): void {
  const folder = 'server/lib/model-providers';
  tree.addFile('parrot.ts', `${folder}/providers/parrot.ts`, { from: '../../lib/model-providers/', to: '../' });
  const registry = `${folder}/index.ts`;
  tree.addLine(
    registry,
    "import { openai } from './providers/openai.ts';",
    "import { parrot } from './providers/parrot.ts';",
  );
  tree.addLine(registry, '  cohere,', '  parrot,');
}

/** A variable with an option, and a key of the configuration file. */
function addSettings(tree: CopiedTree): void {
  tree.addLine(
    'server/settings/server-settings.ts',
    'const DESCRIBED = {',
    `  knownTricks: {
    variables: { TRICKS: { meaning: 'How many tricks the parrot knows.', default: '\`3\`' } },
    option: { argument: 'number', meaning: 'how many tricks the parrot knows' },
    read: (text = '3') => {
      if (/^\\d$/.test(text)) return Number(text);
      throw new SettingsError(\`TRICKS is \${JSON.stringify(text)}; it must be a digit.\`);
    },
  },`,
  );
  tree.addLine(
    'server/settings/server-settings.ts',
    "import type { Mode } from './playbook-filter.ts';",
    "import { SettingsError } from './settings-error.ts';",
  );
  tree.addFile('cages.ts', 'server/settings/cages.ts', { from: '../../settings/', to: './' });
  const registry = 'server/settings/config-parts.ts';
  tree.addLine(registry, "import { API_KEYS } from './api-keys.ts';", "import { CAGES } from './cages.ts';");
  tree.addLine(registry, '  models: MODELS,', '  cages: CAGES,');
}

/** `twice`, which `task-types.test.ts` of workflows tests in all that the server does with it. */
function addTaskType(tree: CopiedTree): void {
  const folder = 'server/kinds/workflow';
  const testing = { from: '../../document/tasks/twice.testing.ts', to: '../../document/tasks/twice.ts' };
  for (const part of ['document', 'engine']) {
    tree.addFile(`../../../${folder}/${part}/tasks/twice.testing.ts`, `${folder}/${part}/tasks/twice.ts`, testing);
  }
  const table = `${folder}/task-types.ts`;
  tree.addLine(
    table,
    "import { TRY } from './document/tasks/try.ts';",
    "import { TWICE } from './document/tasks/twice.ts';",
  );
  tree.addLine(
    table,
    "import { TRY_ENGINE } from './engine/tasks/try.ts';",
    "import { TWICE_ENGINE } from './engine/tasks/twice.ts';",
  );
  tree.addLine(
    table,
    '  try: { descriptor: TRY, engine: TRY_ENGINE },',
    '  twice: { descriptor: TWICE, engine: TWICE_ENGINE },',
  );
}
