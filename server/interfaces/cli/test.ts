import pino from 'pino';
import { placedWords } from '../../../shared/issues.ts';
import { LOCAL_ORG } from '../../../shared/product.ts';
import { createExampleKinds, type ExampleOutcome, tryExample } from '../../domain/examples/index.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { Refused } from '../../lib/rejection.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import { createTextWork, type TextWork } from '../../lib/text-work/index.ts';
import { createTelemetry } from '../../lib/telemetry/index.ts';
import type { CheckContext, Checked, Declarations, Example } from '../../kinds/checked.ts';
import { allWarnings, declarationsOf, nearestDefinition } from '../../kinds/declarations.ts';
import type { Kind } from '../../kinds/kind.ts';
import { createLanguages } from '../../kinds/languages.ts';
import { Models, listProvidersWithKeys } from '../../domain/models/index.ts';
import { openSettings, type Overrides } from '../../settings/index.ts';
import { VERSION } from '../../runtime/version.ts';
import { EXIT, type ExitCode } from './failure.ts';
import { type DefinitionFile, type PlaybookFolder, readFolder } from './folder-files.ts';
import { progress, show } from './output.ts';

const NEVER = new AbortController().signal;

interface TestResult {
  definition: string;
  /** The name of the example; absent in the result of checking the document itself. */
  example?: string;
  passed: boolean;
  detail?: string;
  /** Warnings about the document. */
  warnings?: string[];
}

export interface TestOptions extends Pick<Overrides, 'dataDir'> {
  json?: boolean | undefined;
  /** Call models; otherwise examples of reasoning functions are only rendered. */
  live?: boolean | undefined;
}

/** The models of the settings. Warnings are logged to stderr, as by a server. */
function liveModels(options: TestOptions, textWork: TextWork): Models {
  const settings = openSettings(process.env, options, listProvidersWithKeys);
  return new Models({
    settings: settings.files.usable.models,
    textWork,
    clock: systemClock,
    logger: pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: true })),
    telemetry: createTelemetry({ endpoint: undefined, version: VERSION, onError: () => undefined }),
  });
}

/**
 * Checks the definitions of a folder as saving them would, runs their examples in memory, and compares the outputs with
 * the expected ones.
 */
export async function test(folder: string, options: TestOptions): Promise<ExitCode> {
  const read = readFolder(folder);
  read.notes.forEach(progress);
  const textWork = createTextWork();
  const live = options.live === true ? liveModels(options, textWork) : undefined;
  const results = await testFolder(read, textWork, live).finally(() => textWork.close());
  const failed = results.filter(({ passed }) => !passed).length;
  show(options, results, () =>
    [...results.map(resultWords), `${results.length - failed} passed, ${failed} failed`].join('\n'),
  );
  if (failed === 0) return EXIT.done;
  progress(`${failed} of ${results.length} failed.`);
  return EXIT.failed;
}

async function testFolder(
  { playbook, definitions }: PlaybookFolder,
  textWork: TextWork,
  live: Models | undefined,
): Promise<TestResult[]> {
  const schemas = createSchemaChecker();
  const languages = createLanguages({ textWork });
  const kinds = createExampleKinds({
    languages,
    schemas,
    textWork,
    clock: systemClock,
    version: VERSION,
    models: live,
  });
  const known = new Set(definitions.map(referenceOf));
  const surroundings: CheckContext = {
    org: LOCAL_ORG,
    playbook,
    definitionExists: (type, name) => known.has(`${type}/${name}`),
    nearestDefinition: (type, name) => nearestDefinition(known, type, name),
  };
  try {
    const checked: CheckedFile[] = [];
    for (const file of definitions) checked.push(await checkFile(kinds.byType[file.type], file, surroundings));
    const documents = checked.flatMap(({ file, check }) =>
      check.ok ? [[referenceOf(file), check.document] as const] : [],
    );
    const declarations = declarationsOf(new Map(documents));
    const results: TestResult[] = [];
    for (const one of checked) {
      results.push(...(await testDefinition(one, { org: LOCAL_ORG, playbook }, declarations, live !== undefined)));
    }
    return results;
  } finally {
    live?.close();
    kinds.close();
    await languages.close();
    await schemas.close();
  }
}

interface CheckedFile {
  kind: Kind;
  file: DefinitionFile;
  check: Checked | { ok: false; detail: string };
}

async function checkFile(kind: Kind, file: DefinitionFile, surroundings: CheckContext): Promise<CheckedFile> {
  const check = await kind.check(file.source, surroundings).catch(refusedDetail);
  return { kind, file, check: typeof check === 'string' ? { ok: false, detail: check } : check };
}

async function testDefinition(
  { kind, file, check }: CheckedFile,
  playbookKey: PlaybookKey,
  declarations: Declarations,
  isLive: boolean,
): Promise<TestResult[]> {
  const definition = referenceOf(file);
  const refused = (detail: string): TestResult[] => [{ definition, passed: false, detail }];
  if (!check.ok) return refused('detail' in check ? check.detail : check.issues.map(placedWords).join('\n'));
  const { document } = check;
  try {
    const warnings = (await allWarnings(document, declarations)).map(placedWords);
    const results: TestResult[] = [{ definition, passed: true, ...(warnings.length === 0 ? {} : { warnings }) }];
    for (const example of document.examples) {
      const tried = { ...file, playbookKey, document };
      const outcome = await tryExample(kind, tried, example, { isLive, signal: NEVER });
      const reason = outcome.status === 'passed' ? {} : { detail: detailOf(outcome, example) };
      results.push({ definition, example: example.name, passed: outcome.status === 'passed', ...reason });
    }
    return results;
  } catch (error) {
    return refused(refusedDetail(error));
  }
}

/** @throws every error that is not a refusal */
function refusedDetail(error: unknown): string {
  if (error instanceof Refused) return error.message;
  throw error;
}

function referenceOf({ type, name }: DefinitionFile): string {
  return `${type}/${name}`;
}

/** Both outputs in full, if they differ, then the other reasons. */
function detailOf(outcome: Exclude<ExampleOutcome, { status: 'passed' }>, { output: expected }: Example): string {
  if (outcome.status === 'not_run' || outcome.differences === undefined) return outcome.detail;
  const words = `returned ${JSON.stringify(outcome.output)}; expected ${JSON.stringify(expected)}`;
  return outcome.detail === '' ? words : `${words}\n${outcome.detail}`;
}

function resultWords({ definition, example, passed, detail, warnings = [] }: TestResult): string {
  const head = `${passed ? 'ok  ' : 'FAIL'} ${definition}${example === undefined ? '' : `: ${example}`}`;
  const below = [...(detail === undefined ? [] : detail.split('\n')), ...warnings.map((text) => `warning: ${text}`)];
  return [head, ...below.map((line) => `     ${line}`)].join('\n');
}
