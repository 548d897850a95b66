export { PREDICTION_LIMIT } from './limit.ts';
export { createPredictions } from './predictions.ts';
export { predictionProjection } from './projection.ts';
export { predictionMigrations } from './sql.ts';
