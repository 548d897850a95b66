// Evaluates a definition: runs its cases against versions and models side by side.
//
// Run ids are derived from the id of the evaluation, the definition, its version, the model and the case. With the id of an
// interrupted evaluation, cases that have ended are read and not run again, because a run has one result.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { DEFINITION_FACTS } from '../../../../shared/definition-types.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createExpressions, type Expressions } from '../../../lib/jq/index.ts';
import { createSchemaChecker } from '../../../lib/schemas/index.ts';
import { createIds } from '../../../kernel/ids.ts';
import { type ClientOptions, withClient } from '../attach.ts';
import type { Client } from '../client.ts';
import { EXIT, type ExitCode, misused } from '../failure.ts';
import { progress, show } from '../output.ts';
import { readReference } from '../run.ts';
import {
  type CaseResult,
  dependsOnDocument,
  scoreOf,
  type Variant,
  whyNotEvaluated,
} from '../../../../shared/evaluation/index.ts';
import { runCase, type Evaluated } from './run-case.ts';
import { type Case, readCases } from './cases.ts';
import { type Evaluation, evaluationWords } from './report.ts';
import { readPrices } from './read-prices.ts';

export interface EvalOptions extends ClientOptions {
  cases?: string | undefined;
  models?: string | undefined;
  versions?: string | undefined;
  concurrency: string;
  wait: string;
  prices?: string | undefined;
  id?: string | undefined;
}

const MOST_CONCURRENT = 32;
const MOST_WAIT_SECONDS = 86_400;
const MOST_VARIANTS = 32;

/** Evaluates PLAYBOOK/TYPE/NAME. Exits with 1 if a case did not pass. */
export async function evaluate(reference: string, options: EvalOptions): Promise<ExitCode> {
  const [playbook = '', ...rest] = reference.split('/');
  if (playbook === '' || rest.length !== 2) {
    throw misused(`${JSON.stringify(reference)} names no definition; write PLAYBOOK/TYPE/NAME.`);
  }
  const { type, name } = readReference(rest.join('/'));
  const models = listOf(options.models);
  if (models.length > 0 && DEFINITION_FACTS[type].streamsText !== true) {
    throw misused(`--models is for reasoning functions; ${type}/${name} calls no model itself.`);
  }
  const versions = listOf(options.versions).map((text) => wholeNumber('--versions', text, 999_999_999));
  const concurrency = wholeNumber('--concurrency', options.concurrency, MOST_CONCURRENT);
  const evaluated: Evaluated = {
    evaluation: options.id ?? createIds(systemClock)(),
    org: options.org,
    playbook,
    type,
    name,
    waitMs: wholeNumber('--wait', options.wait, MOST_WAIT_SECONDS) * 1000,
    prices: readPrices(options.prices),
  };
  const [schemas, expressions] = [createSchemaChecker(), createExpressions()];
  try {
    const cases = await readCases(options.cases ?? casesFile(playbook, name), { schemas, expressions });
    const evaluation = await withClient(
      options,
      { whenAbsent: 'refuse', needsTasks: DEFINITION_FACTS[type].mayWait === true },
      async (client) => {
        const variants = await variantsOf(client, evaluated, versions, models);
        progress(
          `Evaluation ${evaluated.evaluation}: ${cases.length * variants.length} runs. If it is interrupted, continue it with --id ${evaluated.evaluation}`,
        );
        return runCases(client, { evaluated, variants, cases, concurrency, expressions });
      },
    );
    show(options, evaluation, () => evaluationWords(evaluation));
    const open = evaluation.results.filter(({ status }) => status !== 'passed').length;
    if (open === 0) return EXIT.done;
    progress(`${open} of ${evaluation.results.length} did not pass.`);
    return EXIT.failed;
  } finally {
    await Promise.all([schemas.close(), expressions.close()]);
  }
}

interface EvaluationJob {
  evaluated: Evaluated;
  variants: readonly Variant[];
  cases: readonly Case[];
  concurrency: number;
  expressions: Expressions;
}

async function runCases(
  client: Client,
  { evaluated, variants, cases, concurrency, expressions }: EvaluationJob,
): Promise<Evaluation> {
  const asking = new Map(
    await Promise.all(variants.map(async (variant) => [variant, await whyNot(client, evaluated, variant)] as const)),
  );
  const jobs = variants.flatMap((variant) => cases.map((one) => ({ variant, one })));
  const results: CaseResult[] = [];
  const remaining = jobs.entries();
  const worker = async (): Promise<void> => {
    for (const [index, { variant, one }] of remaining) {
      const detail = asking.get(variant);
      results[index] =
        detail === undefined
          ? // oxlint-disable-next-line no-await-in-loop -- a worker runs one case at a time
            await runCase(client, evaluated, variant, one, expressions)
          : { case: one.name, ...variant, status: 'not_evaluated', detail };
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const ofVariant = (index: number): CaseResult[] => results.slice(index * cases.length, (index + 1) * cases.length);
  return {
    evaluation: evaluated.evaluation,
    definition: `${evaluated.playbook}/${evaluated.type}/${evaluated.name}`,
    cases: cases.length,
    scores: variants.map((variant, index) => scoreOf(variant, ofVariant(index))),
    results,
  };
}

/** Every version with every model. @throws CommandFailure if there are too many; ServiceRefusal for an unknown version */
async function variantsOf(
  client: Client,
  { org, playbook, type, name }: Evaluated,
  versions: readonly number[],
  models: readonly string[],
): Promise<Variant[]> {
  const key = { org, playbook, type, name };
  const current = await client.call('get_definition', key);
  for (const version of versions) {
    // oxlint-disable-next-line no-await-in-loop -- few, and the first that is missing is reported
    await client.call('get_definition_version', { ...key, version: String(version) });
  }
  const numbers = versions.length === 0 ? [current.version] : [...new Set(versions)];
  const variants = numbers.flatMap((version): Variant[] =>
    models.length === 0 ? [{ version }] : [...new Set(models)].map((model) => ({ version, model })),
  );
  if (variants.length > MOST_VARIANTS) {
    throw misused(
      `--versions and --models have ${variants.length} combinations; at most ${MOST_VARIANTS} are permitted.`,
    );
  }
  return variants;
}

/** Why the cases of a version are not run; undefined if they are. */
async function whyNot(client: Client, evaluated: Evaluated, { version }: Variant): Promise<string | undefined> {
  const { org, playbook, type, name } = evaluated;
  if (!dependsOnDocument(type)) return undefined;
  const key = { org, playbook, type, name, version: String(version) };
  const { source } = await client.call('get_definition_version', key);
  return whyNotEvaluated(type, name, parse(source));
}

/** The file beside the definition: in this folder, or in one with the name of the playbook. */
function casesFile(playbook: string, name: string): string {
  const file = `${name}.cases.jsonl`;
  const below = path.join(playbook, file);
  return !existsSync(file) && existsSync(below) ? below : file;
}

function listOf(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
}

function wholeNumber(option: string, text: string, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw misused(`${option} is ${JSON.stringify(text)}; write a whole number from 1 to ${most}.`);
}
