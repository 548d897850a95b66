import type { ModelFault, RunModels } from './models.ts';

const NONE: ModelFault = {
  kind: 'provider_not_configured',
  detail: 'No model is asked here.',
  rejection: { reason: 'unavailable', because: 'provider_not_configured', detail: 'No model is asked here.' },
};

/** For runs without a service around them: no provider is configured. */
export const NO_MODELS: RunModels = {
  doubts: () => [],
  resolve: (reference) => reference,
  ask: async () => ({ ok: false, fault: NONE, durationMs: 0 }),
};
