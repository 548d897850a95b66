// What the trainer of a build reads: the brief and the training rows.
import type { Dataset } from '../../../shared/schemas/index.ts';
import type { EventLog, PlaybookKey } from '../../kernel/log/index.ts';
import { briefOf } from './brief.ts';
import type { Builds } from './builds.ts';
import type { Datasets } from './datasets.ts';
import { specOf } from './specs.ts';
import type { Versions } from './versions.ts';

export interface Training {
  /** @throws Refused as the builds do */
  brief(playbookKey: PlaybookKey, runId: string, signal: AbortSignal): Promise<string>;
  /** The rows as CSV, made as they are read. @throws Refused as the builds do */
  rows(playbookKey: PlaybookKey, runId: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

export interface TrainingOptions {
  log: EventLog;
  builds: Builds;
  datasets: Pick<Datasets, 'get'>;
  versions: Pick<Versions, 'active'>;
  urlOf: (playbookKey: PlaybookKey, route: string) => string;
}

export function createTraining({ log, builds, datasets, versions, urlOf }: TrainingOptions): Training {
  return {
    async brief(playbookKey, runId, signal) {
      const build = await builds.requireOpen(playbookKey, runId);
      const { prediction, name } = build;
      const panel = await builds.panelOf(build, signal);
      const baselines = await panel.baselines({ signal });
      const { dataset, active } = await log.read(async (tx) => ({
        dataset: (await datasets.get(tx, playbookKey, build.dataset)) as Dataset,
        active: await versions.active(tx, { org: playbookKey.org, playbook: playbookKey.playbook, name }),
      }));
      const route = `/runs/${build.runId}`;
      return briefOf({
        name,
        runId: build.runId,
        description: build.description,
        unit: prediction.dataset.unit,
        url: urlOf(playbookKey, `${route}/build`),
        playbookUrl: urlOf(playbookKey, ''),
        answerUrl: 'inbox' in prediction.trainer ? urlOf(playbookKey, `${route}/answer`) : undefined,
        spec: specOf(prediction),
        dataset,
        panel: panel.facts,
        baselines,
        active: active && { version: active.version, scores: active.details.scores.select },
      });
    },
    async rows(playbookKey, runId, signal) {
      const build = await builds.requireOpen(playbookKey, runId);
      return (await builds.panelOf(build, signal)).trainingRows({ signal });
    },
  };
}
