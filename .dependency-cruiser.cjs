// The boundaries of the code. The folders of server/ are its layers, and each sees only those below it:
// shared <- lib <- kernel <- settings, operations, kinds <- domain <- interfaces <- runtime.

const LAYERS = ['lib', 'kernel', 'settings|operations|kinds', 'domain', 'interfaces'];

/** A folder that others enter through its `index.ts` alone. */
const FACED = '^server/(settings|operations|(?:lib|kernel|kinds|domain|interfaces)/[^/]+)';

const TEST = '\\.test\\.ts$';
const FOR_TESTS = `${TEST}|\\.testing\\.ts$|^server/test/`;
/** The commands start the runtime and work on folders of definitions. */
const CLI = '^server/interfaces/cli/';

const seesOnlyLayersBelow = LAYERS.map((layer, index) => ({
  name: `${layer.replaceAll('|', '-')}-sees-only-layers-below`,
  severity: 'error',
  from: { path: `^server/(${layer})/`, pathNot: [FOR_TESTS, CLI] },
  to: { path: '^server/', pathNot: `^server/(${LAYERS.slice(0, index + 1).join('|')})/` },
}));

/** The folders of runs: what is recorded, runs that wait, attempts in progress, then what reads and repeats them. */
const RUN_FOLDERS = ['history', 'durable', 'attempts', 'finding|rerun'];

/** The folders of the studio: calls, components, signing in, parts of pages, pages, the frame around them. */
const STUDIO_FOLDERS = ['api', 'ui', 'sign-in', 'shapes', 'forms', 'graph', 'editor', 'places', 'app'];

/** The pages of which others show parts. A page that is not listed may show parts of all these, and no page sees it. */
const STUDIO_PAGES = 'events|models|schedules|playbooks|run|prediction|evaluate|inbox|definitions'.split('|');

/** Each folder sees itself and those listed before it: no two import each other. */
const seesOnlyFoldersBelow = (name, parent, folders) =>
  folders.map((folder, index) => ({
    name: `${name}-${folder.replaceAll('|', '-')}-sees-only-folders-below`,
    severity: 'error',
    from: { path: `^${parent}/(${folder})/`, pathNot: FOR_TESTS },
    to: { path: `^${parent}/`, pathNot: `^${parent}/(${folders.slice(0, index + 1).join('|')})/` },
  }));

/** What the server may import: what is bundled, and the optional peers, which a clone has for development. */
const SHIPPED = `^node_modules/(${[
  ...require('./scripts/bundled-packages.json'),
  ...Object.keys(require('./package.json').peerDependencies),
].join('|')})/`;

module.exports = {
  forbidden: [
    {
      name: 'shared-is-a-leaf',
      comment: 'shared/ is the contract as code: it knows neither Node nor the server.',
      severity: 'error',
      from: { path: '^shared/', pathNot: TEST },
      to: { pathNot: '^(shared/|node_modules/(typebox|eventsource-parser|ajv-formats)/)' },
    },
    ...seesOnlyLayersBelow,
    ...seesOnlyFoldersBelow('runs', 'server/domain/runs', RUN_FOLDERS),
    ...seesOnlyFoldersBelow('studio', 'renderer', STUDIO_FOLDERS),
    ...seesOnlyFoldersBelow('pages', 'renderer/places', STUDIO_PAGES),
    {
      name: 'pages-see-only-listed-pages',
      severity: 'error',
      from: { path: '^renderer/places/([^/]+)/' },
      to: { path: '^renderer/places/', pathNot: `^renderer/places/($1|${STUDIO_PAGES.join('|')})/` },
    },
    {
      name: 'kinds-are-islands',
      comment: 'A kind reaches other definitions through what kind.ts hands it.',
      severity: 'error',
      from: { path: '^server/kinds/([^/]+)/' },
      to: {
        path: '^server/kinds/',
        pathNot: '^server/kinds/($1/|burst/|document/|program/|(?!registry\\.)[^/]+\\.ts$)',
      },
    },
    {
      name: 'interfaces-know-only-operations',
      comment: 'But for the commands, which start the runtime.',
      severity: 'error',
      from: { path: '^server/interfaces/', pathNot: [FOR_TESTS, CLI] },
      to: { path: '^server/(domain|kinds|settings)/' },
    },
    {
      name: 'only-stores-open-sqlite',
      comment: 'But for the full-text index of the documentation, which is in memory.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: [FOR_TESTS, '^server/kernel/log/sqlite/', '^server/interfaces/documentation/search-index\\.ts$'],
      },
      to: { path: 'node_modules/better-sqlite3/' },
    },
    {
      name: 'only-stores-open-postgres',
      severity: 'error',
      from: { path: '^server/', pathNot: [FOR_TESTS, '^server/kernel/log/postgres/'] },
      to: { path: 'node_modules/pg/' },
    },
    {
      name: 'documentation-knows-no-runtime',
      comment: 'It is served where no runtime is.',
      severity: 'error',
      from: { path: '^server/interfaces/documentation/', pathNot: TEST },
      to: { path: '^server/interfaces/(mcp|cli)/' },
    },
    {
      name: 'folders-are-entered-through-their-index',
      severity: 'error',
      from: { path: `${FACED}/`, pathNot: FOR_TESTS },
      to: { path: `${FACED}/`, pathNot: [`${FACED}/index\\.ts$`, '^$1/', '^server/$1/'] },
    },
    {
      name: 'runtime-enters-folders-through-their-index',
      severity: 'error',
      from: { path: '^server/(main\\.ts$|runtime/|library/|interfaces/cli/|kinds/registry\\.ts)', pathNot: FOR_TESTS },
      to: { path: `${FACED}/`, pathNot: [`${FACED}/index\\.ts$`, CLI] },
    },
    {
      name: 'what-ships-depends-on-what-ships',
      comment: 'The packages of the bundle are development dependencies, as npm does not install them with Cuebook.',
      severity: 'error',
      from: { path: '^(server|shared)/', pathNot: `${FOR_TESTS}|/testing` },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: ['\\.d\\.ts$', SHIPPED] },
    },
    {
      name: 'the-studio-sees-the-contract-alone',
      comment: 'The studio talks to the service over HTTP; the sample is text to it.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: `${TEST}|vite\\.config\\.ts$` },
      to: { path: '^(server|bench|scripts|e2e|electron|bin)/' },
    },
    {
      name: 'the-app-sees-the-contract-alone',
      comment: 'The desktop app starts the service and talks to it over HTTP and a message port.',
      severity: 'error',
      from: { path: '^electron/', pathNot: TEST },
      to: { path: '^(server|renderer|bench|scripts|e2e|bin)/' },
    },
    {
      name: 'clients-take-types-from-the-generated-client',
      comment: 'shared/schemas is what the server checks values with; shared/api names the same objects for clients.',
      severity: 'error',
      from: { path: '^(renderer|electron|server/interfaces/cli)/', pathNot: TEST },
      to: { path: '^shared/schemas/', pathNot: '^shared/schemas/events/reserved-types\\.ts$' },
    },
    {
      name: 'nothing-that-ships-sees-the-app',
      severity: 'error',
      from: { path: '^(server|shared|renderer)/' },
      to: { path: '^electron/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
