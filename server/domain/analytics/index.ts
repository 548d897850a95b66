export { type AnalyticsReader, createAnalytics } from './analytics.ts';
export { analyticsOperations } from './operations.ts';
