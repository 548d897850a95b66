import { lazy } from 'react';
import type { Definition } from '../../../shared/api/index.ts';
import type { DefinitionKey } from '../../api/queries.ts';

export interface PredictionTabProps {
  definitionKey: DefinitionKey;
  definition: Definition;
}

/** The tabs that only prediction functions have. */
export const PREDICTION_TABS = [
  {
    tab: 'dataset',
    title: 'Dataset',
    Content: lazy(async () => ({ default: (await import('./dataset-tab.tsx')).DatasetTab })),
  },
  {
    tab: 'models',
    title: 'Models',
    Content: lazy(async () => ({ default: (await import('./models-tab.tsx')).ModelsTab })),
  },
  {
    tab: 'forecast',
    title: 'Forecast',
    Content: lazy(async () => ({ default: (await import('./forecast-tab.tsx')).ForecastTab })),
  },
] as const;
