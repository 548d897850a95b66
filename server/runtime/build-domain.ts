// The second step of the composition: everything that Cuebook can do, as operations.
import { accessOperations } from '../domain/access/index.ts';
import { agentOperations } from '../domain/agents/index.ts';
import { analyticsOperations, createAnalytics, createModelUsage } from '../domain/analytics/index.ts';
import { definitionOperations } from '../domain/definitions/index.ts';
import { createDrafts, draftOperations } from '../domain/drafts/index.ts';
import { createEvents, eventOperations } from '../domain/events/index.ts';
import { createExamples, exampleOperations } from '../domain/examples/index.ts';
import { createExplanations, explanationOperations } from '../domain/explanations/index.ts';
import { createArchives, Folders, folderOperations } from '../domain/folders/index.ts';
import { interactionOperations } from '../domain/interactions/index.ts';
import { modelOperations, providerOperations, setUpOperations } from '../domain/models/index.ts';
import { playbookOperations } from '../domain/playbooks/index.ts';
import { runOperations } from '../domain/runs/index.ts';
import { createCallWithoutRun, toolOperations, toolSetUpOperations } from '../domain/tools/index.ts';
import { scheduleOperations } from '../domain/triggers/index.ts';
import type { PlaybookKey } from '../kernel/log/index.ts';
import type { Operation } from '../operations/index.ts';
import { buildExecution, type Execution, type ExecutionOptions } from './build-execution.ts';
import { buildServices, type ServicesOptions } from './build-services.ts';
import { createTakeOver } from './take-over.ts';

export interface DomainOptions extends ServicesOptions, Pick<ExecutionOptions, 'stopping'> {
  /** Path of the bundle for Claude Desktop among the studio's files; undefined where it was not built. */
  bundle: string | undefined;
}

export interface Domain {
  operations: readonly Operation[];
  /** The sentence that guides show about the models that are there. */
  modelsGuide: () => string;
  /** @throws Refused `not_found` */
  requirePlaybook: (playbookKey: PlaybookKey) => Promise<void>;
  /** Reads what was stored, ends what an earlier start left behind, and brings views up to date. */
  load(): Promise<void>;
  /** Starts carrying out tasks. Called once the server listens, since tasks name its address. */
  startTasks(): void;
  /** Whether there is a run, a trigger or a timer. */
  isBusy(): Promise<boolean>;
  /** Gives runs and tasks in progress the grace of a stop. */
  stopWork(): Promise<void>;
  /** Ends connections, worker threads and child processes. */
  close(): Promise<void>;
}

export function buildDomain(options: DomainOptions): Domain {
  const services = buildServices(options);
  const { languages, schemas, textWork, telemetry, connections, tools, providerKeys, models } = services;
  const execution = buildExecution({ ...options, ...services });
  const { kinds, exampleKinds, predictions, views, runs, triggers, playbooks, tasks, taskRunners } = execution;
  const takeOver = createTakeOver({ log: options.stores.log, runs, tasks, logger: options.logger });
  return {
    operations: operationsOf({ ...options, ...services, ...execution }),
    modelsGuide: () => models.guideSentence(),
    requirePlaybook: (playbookKey) => playbooks.refuseUnknown(playbookKey),
    async load() {
      await Promise.all([connections.load(), providerKeys.load()]);
      await takeOver();
      await predictions.start();
      await views.start();
    },
    startTasks() {
      for (const one of taskRunners) one.start();
    },
    isBusy: async () => (await runs.goOn()) || (await triggers.areSet()),
    async stopWork() {
      await Promise.all([runs.stop(), ...taskRunners.map((one) => one.stop())]);
      await views.stop();
    },
    async close() {
      models.close();
      await predictions.close();
      await tools.close();
      connections.close();
      await telemetry.close();
      kinds.close();
      exampleKinds.close();
      await languages.close();
      await schemas.close();
      await textWork.close();
    },
  };
}

function operationsOf(parts: DomainOptions & ExecutionOptions & Execution): Operation[] {
  const { settings, mode, stores, clock, schemas, textWork, connections, tools, providerKeys, models } = parts;
  const { views, predictions, kinds, exampleKinds, interactions, runs, schedules, playbooks, definitions } = parts;
  const { log, ids } = stores;
  const folders = new Folders(log, playbooks, definitions);
  return [
    ...playbookOperations(playbooks),
    ...definitionOperations(definitions, playbooks, {
      recall: (key) => views.standing(key),
      prediction: predictions.standing,
    }),
    ...exampleOperations(createExamples({ kinds: exampleKinds.byType, log, clock }), definitions, playbooks),
    ...draftOperations(createDrafts({ kinds: kinds.byType, log, schemas, tools, clock, ids }), playbooks, clock),
    ...runOperations(runs, playbooks, definitions),
    ...explanationOperations(createExplanations(log, clock)),
    ...predictions.operations(playbooks),
    ...interactionOperations(interactions, runs, playbooks),
    ...eventOperations(createEvents(log, parts.publishing), playbooks),
    ...scheduleOperations(schedules, playbooks),
    ...folderOperations(folders, createArchives({ folders, textWork, clock }), playbooks),
    ...analyticsOperations(
      createAnalytics(log, clock),
      createModelUsage(log, clock, () => settings.models().prices),
    ),
    ...connections.operations,
    ...toolOperations(tools, createCallWithoutRun({ tools, log, ids }), playbooks),
    ...toolSetUpOperations({ settings, mode, textWork }),
    ...modelOperations(models),
    ...providerOperations(providerKeys, models, mode),
    ...setUpOperations({ settings, models, mode, ids }),
    ...agentOperations({ mode, dataDir: settings.dataDir, bundle: parts.bundle }),
    ...accessOperations(),
  ];
}
