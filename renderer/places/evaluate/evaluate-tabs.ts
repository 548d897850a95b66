import { lazy } from 'react';
import { DEFINITION_FACTS, type DefinitionType } from '../../../shared/definition-types.ts';

export const BenchTab = lazy(async () => ({ default: (await import('./bench-tab.tsx')).BenchTab }));
export const EvaluateTab = lazy(async () => ({ default: (await import('./evaluate-tab.tsx')).EvaluateTab }));

/** Functions with a prompt. */
export function hasBench(type: DefinitionType): boolean {
  return DEFINITION_FACTS[type].streamsText === true;
}
