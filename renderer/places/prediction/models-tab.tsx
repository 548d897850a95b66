import './prediction.css';
import { Builds } from './builds.tsx';
import { ModelVersions } from './model-versions.tsx';
import type { PredictionTabProps } from './queries.ts';

/** The model versions of a function and the builds that make them. */
export function ModelsTab(props: PredictionTabProps) {
  return (
    <div className="prediction-tab">
      <ModelVersions {...props} />
      <Builds {...props} />
    </div>
  );
}
