// The boundaries of the code. Dependencies point one way:
// shared <- kernel <- kinds, resources <- faces <- app.

const RESOURCES =
  'agents|analytics|connections|definitions|events|folders|interactions|models|operations|playbooks|runs|tools|triggers|views';

/** What stands outside a folder enters it through its `index.ts` alone. */
const FACED = `^server/(kernel/[^/]+|kinds/[^/]+|${RESOURCES}|http|openapi|mcp|documentation|settings)`;

const TEST = '\\.test\\.ts$';
const FOR_TESTS = `${TEST}|\\.testing\\.ts$`;

module.exports = {
  forbidden: [
    {
      name: 'shared-is-a-leaf',
      comment: 'shared/ is the contract as code: it knows neither Node nor the server.',
      severity: 'error',
      from: { path: '^shared/', pathNot: TEST },
      to: { pathNot: '^(shared/|node_modules/typebox/)' },
    },
    {
      name: 'kernel-knows-no-kind-and-no-route',
      severity: 'error',
      from: { path: '^server/kernel/' },
      to: { path: '^server/(?!kernel/)' },
    },
    {
      name: 'kinds-are-islands',
      comment:
        'A kind reaches other definitions through what kind.ts hands it. What documents have in common stands in document/, what programs have in program/.',
      severity: 'error',
      from: { path: '^server/kinds/([^/]+)/' },
      to: {
        path: '^server/(?!kernel/|kinds/(checked|conversing|durable|kind|run|models|no-models|no-tools|simulate|tools)\\.ts|kinds/(document|program)/|kinds/$1/)',
      },
    },
    {
      name: 'resources-know-no-face',
      severity: 'error',
      from: { path: `^server/(${RESOURCES})/`, pathNot: FOR_TESTS },
      to: { path: '^server/(http|openapi|mcp|cli|app\\.ts|main\\.ts)' },
    },
    {
      name: 'faces-know-operations-alone',
      severity: 'error',
      from: { path: '^server/(http|openapi|mcp)/', pathNot: FOR_TESTS },
      to: { path: '^server/(?!kernel/|operations/|http/|openapi/|mcp/)' },
    },
    {
      name: 'documentation-knows-no-runtime',
      comment: 'It is served where no runtime is.',
      severity: 'error',
      from: { path: '^server/documentation/', pathNot: TEST },
      to: { path: '^server/(?!kernel/|operations/|http/|openapi/|documentation/)' },
    },
    {
      name: 'folders-are-entered-through-their-face',
      severity: 'error',
      from: { path: `${FACED}/`, pathNot: FOR_TESTS },
      to: { path: `${FACED}/`, pathNot: [`${FACED}/index\\.ts$`, '^$1', '^server/$1'] },
    },
    {
      name: 'app-enters-folders-through-their-face',
      severity: 'error',
      from: { path: '^server/(app\\.ts|cli/|resources\\.ts|main\\.ts|kinds/registry\\.ts)', pathNot: TEST },
      to: { path: `${FACED}/`, pathNot: `${FACED}/index\\.ts$` },
    },
    {
      name: 'what-ships-depends-on-what-ships',
      severity: 'error',
      from: { path: '^(server|shared)/', pathNot: `${FOR_TESTS}|/testing|-contract\\.ts$` },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: '\\.d\\.ts$' },
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
      name: 'nothing-that-ships-sees-the-app',
      severity: 'error',
      from: { path: '^(server|shared|renderer)/' },
      to: { path: '^electron/' },
    },
    {
      name: 'the-studio-looks-one-way',
      comment:
        'api <- ui <- shapes, forms, editor, graph <- places; api and ui know no place and no part of the frame.',
      severity: 'error',
      from: { path: '^renderer/(api|ui|shapes|forms|editor|graph)/' },
      to: { path: '^renderer/(places|app)/' },
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
