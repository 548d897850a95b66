import { lazy } from 'react';

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
    Content: lazy(async () => ({ default: (await import('./model-versions.tsx')).ModelsTab })),
  },
  {
    tab: 'forecast',
    title: 'Forecast',
    Content: lazy(async () => ({ default: (await import('./forecast-tab.tsx')).ForecastTab })),
  },
] as const;
