// Checks the document of a prediction function that is to be saved. Each step runs only if the previous one passed.
import { SHAPES } from '../../../shared/shapes/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import { createFindings, type Findings, type Sources } from '../../lib/yaml/index.ts';
import type { Checked, CheckContext, Reference } from '../checked.ts';
import { missingWords } from '../declarations.ts';
import { checkDuration, checkExamples, EXPIRES, formIssuesOf, overviewOf } from '../document/index.ts';
import { functionOf, type PredictionFunction } from './document.ts';
import { inputSchemaOf } from './input.ts';
import { doesWords } from './overview.ts';
import { checkForm, type PredictionDocument } from './schema.ts';

export interface CheckOptions {
  sources: Pick<Sources, 'read'>;
  schemas: SchemaChecker;
}

const NO_DOCUMENT = 'A prediction function is an object with `dataset`, `period`, `context`, `horizon` and `trainer`.';

export async function checkPrediction(
  source: string,
  context: CheckContext,
  { sources, schemas }: CheckOptions,
): Promise<Checked> {
  const read = await sources.read({ source, otherwise: NO_DOCUMENT }, { playbookKey: context });
  if (!read.ok) return read;
  const findings = createFindings(read.positions, read.warnings);
  for (const { pointer, detail, at } of formIssuesOf(checkForm(read.value, ''))) findings.error(pointer, detail, at);
  if (findings.issues.length > 0) return { ok: false, issues: findings.issues };
  const document = read.value as unknown as PredictionDocument;
  const prediction = functionOf(document);
  checkColumns(document, findings);
  checkLengths(document, prediction, findings);
  checkTrainer(document.trainer, findings);
  if (findings.issues.length > 0) return { ok: false, issues: findings.issues };

  const { description, examples = [], expose = false } = document;
  const inputSchema = inputSchemaOf(prediction);
  // The output of an example may be that of a build, which has no schema.
  await checkExamples(examples, { input: inputSchema, output: undefined }, schemas, (pointer, detail) =>
    findings.error(`/examples${pointer}`, detail),
  );
  if (findings.issues.length > 0) return { ok: false, issues: findings.issues };
  const outputSchema = SHAPES.series;
  return {
    ok: true,
    document: {
      ...(description === undefined ? {} : { description }),
      inputSchema,
      outputSchema,
      // The report of a build.
      otherOutputSchema: {},
      shape: 'series',
      examples,
      expose,
      overview: overviewOf(
        { description, inputSchema, outputSchema, shape: 'series', examples, expose },
        doesWords(prediction),
      ),
      references: referencesOf(prediction, context, findings),
      warnings: findings.warnings,
    },
  };
}

const OWN_COLUMNS: Readonly<Record<string, string>> = {
  series: 'the name of the series',
  period: 'the label of the period',
};

function checkColumns({ dataset }: PredictionDocument, findings: Findings): void {
  const used = new Map<string, string>();
  const use = (column: string, pointer: string, role: string): void => {
    const own = Object.hasOwn(OWN_COLUMNS, column) ? OWN_COLUMNS[column] : undefined;
    const taken = used.get(column);
    if (own !== undefined) findings.error(pointer, `The column \`${column}\` holds ${own}; name another column.`);
    else if (taken !== undefined) {
      findings.error(
        pointer,
        `The column \`${column}\` is \`${taken}\` already; a column has one role, so remove one.`,
      );
    } else used.set(column, role);
  };
  use(dataset.value, '/dataset/value', 'value');
  for (const role of ['known', 'observed', 'static'] as const) {
    for (const [index, column] of (dataset[role] ?? []).entries()) use(column, `/dataset/${role}/${index}`, role);
  }
}

function checkLengths(document: PredictionDocument, { season, context }: PredictionFunction, findings: Findings): void {
  if (context >= season) return;
  const instead =
    document.season === undefined
      ? `Write \`context: ${season}\` or more; ${season} is the season of a ${document.period} unless \`season\` says another.`
      : `Write \`context: ${season}\` or more, or a shorter \`season\`.`;
  findings.error('/context', `\`context\` must hold at least one season, ${season} periods. ${instead}`);
}

function checkTrainer({ inbox, expires, interaction }: PredictionDocument['trainer'], findings: Findings): void {
  if (inbox === undefined && interaction === undefined) {
    findings.error('/trainer', 'The trainer is missing: write { inbox: PARTY } or { interaction: NAME }.');
  }
  if (inbox !== undefined && interaction !== undefined) {
    findings.error('/trainer/interaction', 'There is one trainer; keep `inbox` or this.', 'key');
  }
  if (interaction !== undefined && expires !== undefined) {
    findings.error('/trainer/expires', 'The interaction has an `expires` of its own; leave this out.', 'key');
  }
  checkDuration('/trainer/expires', expires, EXPIRES, findings);
}

function referencesOf(
  { trainer, activate: { approval } }: PredictionFunction,
  context: CheckContext,
  findings: Findings,
): Reference[] {
  const references: Reference[] = [];
  const refer = (name: string, use: string, pointer: string, until: string): void => {
    references.push({ type: 'interaction', name, use });
    if (context.definitionExists('interaction', name)) return;
    findings.warn(pointer, missingWords(context, 'interaction', name, `${until} until it is saved.`));
  };
  if ('interaction' in trainer) {
    refer(trainer.interaction, 'sends builds to', '/trainer/interaction', 'builds are rejected');
  }
  if (approval !== 'none') {
    refer(
      approval.interaction,
      'has its versions approved by',
      '/activate/approval/interaction',
      'no version is approved',
    );
  }
  return references;
}
