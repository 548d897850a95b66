// What all starts of the service share, because it remembers nothing of runs: the sandbox, schemas, expressions.
// Whatever they carry out is watched, so that a test knows when nothing goes on, and what was carried out.
import { Writable } from 'node:stream';
import pino from 'pino';
import type { JsonObject } from '../../../shared/json.ts';
import { checkPublishedEvent } from '../../domain/events/index.ts';
import { type Clock, stopwatch } from '../../lib/clock.ts';
import { startDeadline, untilAborted } from '../../lib/deadline.ts';
import { createSchemaChecker, type SchemaChecker } from '../../lib/schemas/index.ts';
import { createTextWork, type TextWork } from '../../lib/text-work/index.ts';
import { createSerial } from '../../lib/gate.ts';
import type { Task } from '../../kernel/tasks/index.ts';
import { continueBurst, type Bursts } from '../../kinds/burst/index.ts';
import { createLanguages } from '../../kinds/languages.ts';
import { NO_MODELS } from '../../kinds/models.ts';
import { ANY_TOOLS, NO_TOOLS } from '../../kinds/tools.ts';
import { createKinds, type Kinds } from '../../kinds/registry.ts';

/** Told of what leaves the engine, when it is carried out. */
export interface Watch {
  carriedOut: (run: { runId: string; attempt: number }) => void;
  /** Whether the next function takes so long that its start is recorded by itself; absent: none does. */
  isSlow?: () => boolean;
  /** Whether no worker is free for a burst. */
  areWorkersBusy?: () => boolean;
  /** What a decision waits for. */
  decides?: (thread: 'main' | 'worker') => Promise<void> | undefined;
  /** What the next function waits for before it works; undefined: nothing. */
  holds?: () => Promise<void> | undefined;
  /** @param call run id and number of the call */
  performed: (call: string, mayRepeat: boolean) => void;
}

/** The kinds of one start. */
export interface WatchedKinds extends Pick<Kinds, 'byType' | 'workflows' | 'bursts'> {
  isBusy(): boolean;
  /** Answers when none of them works on anything. */
  settled(): Promise<void>;
}

export interface Parts {
  schemas: SchemaChecker;
  textWork: TextWork;
  kindsFor(watch: Watch): WatchedKinds;
  close(): Promise<void>;
}

export function createParts(clock: Clock): Parts {
  const schemas = createSchemaChecker();
  const textWork = createTextWork();
  const grants = { secrets: () => ({}), hosts: () => () => false, namedHosts: () => () => false };
  // Disturbed and undisturbed runs must end the same, so no pause of the machine may make an expression fail.
  const languages = createLanguages({ textWork, expressionDeadlineMs: 60_000 });
  const kinds = createKinds({
    languages,
    version: '0.0.0',
    schemas,
    textWork,
    checkEvent: checkPublishedEvent,
    grants,
    models: NO_MODELS,
    playbookTools: ANY_TOOLS,
    clock,
    requestUrl: () => '',
  });
  const { computation } = kinds.byType;
  const serially = createSerial();

  return {
    schemas,
    textWork,
    kindsFor(watch) {
      const { interaction } = kinds.byType;
      const going = new Set<Promise<unknown>>();
      const track = <T>(promise: Promise<T>): Promise<T> => {
        const tracked = promise.finally(() => going.delete(tracked));
        going.add(tracked);
        return tracked;
      };
      const workflows: Kinds['workflows'] = {
        ...kinds.workflows,
        triggers: {
          ...kinds.workflows.triggers,
          gather: (...given) => track(kinds.workflows.triggers.gather(...given)),
        },
        start: (...given) => track(kinds.workflows.start(...given)),
        async decide(...given) {
          await watch.decides?.('main');
          return track(kinds.workflows.decide(...given));
        },
        rerun: (...given) => track(kinds.workflows.rerun(...given)),
        async perform(run, effect) {
          watch.performed(String(effect['named']), kinds.workflows.describe(run, effect).mayRepeat);
          return { ok: true, output: { status: 200 } };
        },
      };
      /** One after the other, so that the order in which they end is no accident. */
      const inTurn = <T>(run: { runId: string; attempt: number }, work: () => Promise<T>): Promise<T> =>
        track(
          serially('', () => {
            watch.carriedOut(run);
            return work();
          }),
        );
      /** As a worker does it, but here, where what it carries out is watched. */
      const bursts: Bursts = {
        async continueInWorker(job, _decider, signal) {
          if (watch.areWorkersBusy?.() === true) return undefined;
          const { functions, control, ...sent } = job;
          const [tookMs, { org, playbook, depth }] = [stopwatch(clock), sent.run];
          const leftMs = (): number => job.leftMs - tookMs();
          const copy = structuredClone(sent);
          return continueBurst(
            { ...copy, control, functions: functions.map((one) => ({ ...one, isStripped: false })) },
            {
              now: () => clock.now(),
              leftMs,
              async decide(...given) {
                await watch.decides?.('worker');
                return track(kinds.workflows.decide(...given));
              },
              schemas,
              async execute({ source, name, outputSchema }, { runId, input }, { startedAt }) {
                const shape = outputSchema === undefined ? {} : { outputSchema };
                const own = { org, playbook, runId, attempt: 1, name, version: 1, source, input, startedAt, depth };
                const work = async () => {
                  await watch.holds?.();
                  return inTurn({ runId, attempt: 1 }, async () =>
                    watch.isSlow?.() === true
                      ? undefined
                      : computation.start({ ...own, ...shape, signal, tools: NO_TOOLS }),
                  );
                };
                const deadline = startDeadline(clock, leftMs(), signal);
                const ending = await untilAborted(work(), deadline.signal);
                deadline.callOff();
                return ending?.status === 'waiting' ? undefined : ending;
              },
            },
          ).then((carried) => structuredClone(carried));
        },
      };
      return {
        workflows,
        bursts,
        byType: {
          ...kinds.byType,
          workflow: workflows,
          interaction: { ...interaction, start: (run) => track(interaction.start(run)) },
          computation: {
            ...computation,
            async start(run) {
              await watch.holds?.();
              return inTurn(run, () => {
                // What goes wrong there is known at the end, as where the time has passed.
                if (watch.isSlow?.() === true) void run.recordStart?.().catch(() => {});
                return computation.start(run);
              });
            },
          },
        },
        isBusy: () => going.size > 0,
        async settled() {
          while (going.size > 0) await Promise.allSettled(going);
        },
      };
    },
    async close() {
      kinds.close();
      await Promise.all([languages.close(), schemas.close(), textWork.close()]);
    },
  };
}

/** A task with its call's name in the effect, which `performed` is told. */
export function named(task: Task): Task {
  const payload = task.payload as JsonObject;
  if (payload['effect'] === undefined) return task;
  const name = `${String(payload['run_id'])} ${String(payload['number'])}`;
  return { ...task, payload: { ...payload, effect: { ...(payload['effect'] as JsonObject), named: name } } };
}

/** Whatever is logged as an error is told. */
export function createLogger(onError: (error: unknown) => void): pino.Logger {
  const stream = new Writable({
    write(line: Buffer, _encoding, done) {
      onError(new Error(line.toString()));
      done();
    },
  });
  return pino({ level: 'error' }, stream);
}
