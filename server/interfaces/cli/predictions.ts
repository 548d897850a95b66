// The commands that build and query prediction functions, and that train models for them.
import { setTimeout as wait } from 'node:timers/promises';
import { answerOpenBuilds } from '../../../resources/trainers/node/train.ts';
import type { Json } from '../../../shared/json.ts';
import { type ClientOptions, originOf, withClient } from './attach.ts';
import { credentialFor, environmentKey } from './credential.ts';
import { failed, misused } from './failure.ts';
import { progress } from './output.ts';
import { runDefinition, type RunOptions } from './run.ts';

type PredictionRunOptions = Omit<RunOptions, 'input'>;

/** Starts a build: the run waits for its trainer. */
export async function build(
  playbook: string,
  name: string,
  { dataset, ...options }: PredictionRunOptions & { dataset?: string | undefined },
): Promise<void> {
  const input = { build: dataset === undefined ? {} : { dataset } };
  await runDefinition({ playbook, type: 'prediction', name, input }, options, (output) =>
    JSON.stringify(output, null, 2),
  );
}

/** Prints the forecast of a series as a table. */
export async function predict(
  playbook: string,
  name: string,
  series: string,
  { horizon, ...options }: PredictionRunOptions & { horizon?: string | undefined },
): Promise<void> {
  const input = horizon === undefined ? { series } : { series, horizon: readHorizon(horizon) };
  await runDefinition({ playbook, type: 'prediction', name, input }, options, forecastTable);
}

function readHorizon(text: string): number {
  const horizon = Number(text);
  if (Number.isSafeInteger(horizon) && horizon > 0) return horizon;
  throw misused(`--horizon is ${JSON.stringify(text)}; give the number of periods ahead, such as 3.`);
}

interface Forecast {
  unit?: string;
  lines: { name: string; points: { at: string; value: number | null; low?: number; high?: number }[] }[];
}

/** The predicted line of a forecast: one row per period. */
function forecastTable(output: Json): string {
  const { unit, lines } = output as unknown as Forecast;
  const points = lines.find(({ name }) => name === 'predicted')?.points ?? [];
  const cell = (figure: number | null | undefined): string =>
    figure === null || figure === undefined ? '' : String(Number(figure.toPrecision(6)));
  const rows = [
    ['period', unit ?? 'value', 'low', 'high'],
    ...points.map(({ at, value, low, high }) => [at, cell(value), cell(low), cell(high)]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(([period = '', ...figures]) =>
      [period.padEnd(widths[0] ?? 0), ...figures.map((figure, at) => figure.padStart(widths[at + 1] ?? 0))].join('  '),
    )
    .join('\n');
}

export interface TrainOptions extends ClientOptions {
  /** Answers only requests to this party. */
  party?: string | undefined;
  /** Continue to answer builds until the process is stopped. */
  watch?: boolean | undefined;
}

/** Milliseconds between two reads of the open builds. */
const LOOK_EVERY_MS = 2000;

/** Answers the open builds of a playbook with linear models, fitted in this process. */
export async function train(playbook: string, options: TrainOptions): Promise<void> {
  const credential = options.server === undefined ? environmentKey : credentialFor(originOf(options.server), options);
  const { party, watch: isLong = false } = options;
  await withClient(options, { whenAbsent: 'refuse', isLong, needsTasks: true }, async (client) => {
    const { org = await client.org() } = options;
    // Fails early for a wrong name or credential, with the permission that training needs in any case.
    await client.call('list_interactions', { org, playbook });
    const url = `${client.address}/v1/orgs/${encodeURIComponent(org)}/playbooks/${encodeURIComponent(playbook)}`;
    const answerBuilds = async () => answerOpenBuilds(url, { party, key: await credential(), report: progress });
    if (isLong) progress('Waiting for builds. Press Ctrl-C to stop.');
    for (;;) {
      const { answered, failures } = await answerBuilds().catch((error: unknown) => ({
        answered: 0,
        failures: [error instanceof Error ? error.message : String(error)],
      }));
      for (const failure of failures) progress(failure);
      if (answered > 0) progress(`Answered ${answered === 1 ? '1 build' : `${answered} builds`}.`);
      if (!isLong) {
        if (failures.length > 0) throw failed('The other builds are still waiting.');
        if (answered === 0) progress('No build is waiting for a trainer.');
        return;
      }
      await wait(LOOK_EVERY_MS);
    }
  });
}
