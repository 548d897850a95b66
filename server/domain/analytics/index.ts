import Type from 'typebox';
import { integer, object, oneOf, optional, text } from '../../../shared/schemas/fields.ts';
import { DEFINITION_TYPES } from '../../../shared/definition-types.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { AnalyticsSchema, ModelUsageSchema } from '../../../shared/schemas/index.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import type { AnalyticsReader } from './analytics.ts';
import type { ReadModelUsage } from './model-usage.ts';

export { type AnalyticsReader, createAnalytics } from './analytics.ts';
export { createModelUsage, type ReadModelUsage } from './model-usage.ts';

const DAYS = optional(
  integer(`UTC days, today included; ${LIMITS.analyticsDaysDefault} when absent.`, {
    minimum: 1,
    maximum: LIMITS.analyticsDaysMost,
  }),
);

export function analyticsOperations(analytics: AnalyticsReader, usage: ReadModelUsage): Operation[] {
  return [
    defineOperation({
      name: 'get_playbook_analytics',
      tag: 'Analytics',
      title: 'Summarize ended runs',
      description:
        'Counts the ended runs of a playbook by the UTC day on which each first started, and by function, with model tokens and the 50th and 95th percentile of durations in milliseconds. Retired playbooks can be read too.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/analytics',
      path: Type.Object({ playbook: text("The playbook's id.") }),
      fields: object({
        days: DAYS,
        type: optional(oneOf('Only runs of one type.', DEFINITION_TYPES)),
      }),
      output: AnalyticsSchema,
      problems: ['not_found'],
      hints: { readOnly: true, destructive: false, idempotent: true },
      mcp: false,
      forAgents: { instead: { tool: 'list_runs' } },
      handle: ({ org }, { playbook, days = LIMITS.analyticsDaysDefault, type }) =>
        analytics.summarize({ org, playbook }, days, type),
    }),
    defineOperation({
      name: 'get_model_usage',
      tag: 'Analytics',
      title: 'Get tokens and costs of models',
      description:
        'Tokens of the ended runs of a playbook that used a model, and their costs at the prices that the operator configured as `model_prices`: by the UTC day on which the runs ended, by definition and by model.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/model-usage',
      path: Type.Object({ playbook: text("The playbook's id.") }),
      fields: object({
        days: DAYS,
      }),
      output: ModelUsageSchema,
      problems: ['not_found'],
      hints: { readOnly: true, destructive: false, idempotent: true },
      mcp: false,
      addition: true,
      handle: ({ org }, { playbook, days = LIMITS.analyticsDaysDefault }) => usage({ org, playbook }, days),
    }),
  ];
}
