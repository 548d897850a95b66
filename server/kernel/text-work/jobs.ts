// The kinds of text work. Adding one takes a line here and a function in a `NAME.job.ts` beside the code that needs it:
// a plain function of one argument that answers an object; both are copied between threads.
//
// Only a worker loads the functions, each with its first job.

/** @param deadlineMs how long a job may take, in milliseconds, once its function is loaded */
interface TextJob {
  deadlineMs: number;
  load: () => Promise<(input: never) => object>;
}

export const TEXT_JOBS = {
  /** YAML takes about a second a megabyte. */
  readOpenApi: {
    deadlineMs: 20_000,
    load: async () => (await import('../openapi-client/read-openapi.job.ts')).readOpenApi,
  },
  /** Definitions: 65,536 bytes of YAML take some 300 ms. */
  readSource: {
    deadlineMs: 15_000,
    load: async () => (await import('../yaml/read-source.job.ts')).readSource,
  },
  readWorkflow: {
    deadlineMs: 15_000,
    load: async () => (await import('../../kinds/workflow/document/read-workflow.job.ts')).readWorkflow,
  },
  checkTemplate: {
    deadlineMs: 1000,
    load: async () => (await import('../templates/template.job.ts')).checkTemplate,
  },
  renderTemplate: {
    deadlineMs: 1000,
    load: async () => (await import('../templates/template.job.ts')).renderTemplate,
  },
  /** 4 MiB of a million values take some 2 s. */
  seeAnswer: {
    deadlineMs: 20_000,
    load: async () => (await import('../../tools/see-answer.job.ts')).seeAnswer,
  },
  /** As `seeAnswer`, of HTTP calls. */
  readAnswer: {
    deadlineMs: 20_000,
    load: async () => (await import('../../kinds/workflow/http-call/read-answer.job.ts')).readAnswer,
  },
  readModelPage: {
    deadlineMs: 20_000,
    load: async () => (await import('../../models/listing/read-page.job.ts')).readPage,
  },
  measureAnswer: {
    deadlineMs: 20_000,
    load: async () => (await import('../../models/measure-answer.job.ts')).measureAnswer,
  },
  standIn: {
    deadlineMs: 20_000,
    load: async () => (await import('../../tools/mcp/stand-in.job.ts')).standIn,
  },
} satisfies Record<string, TextJob>;

export type TextJobName = keyof typeof TEXT_JOBS;

type Carrying<Name extends TextJobName> = Awaited<ReturnType<(typeof TEXT_JOBS)[Name]['load']>>;
export type TextInput<Name extends TextJobName> = Parameters<Carrying<Name>>[0];
export type TextAnswer<Name extends TextJobName> = ReturnType<Carrying<Name>>;
