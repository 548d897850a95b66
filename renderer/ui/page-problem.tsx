import { PageTitle } from './page-title.tsx';
import { ProblemView } from './problem-view.tsx';

export function PageProblem({ error }: { error: unknown }) {
  return (
    <div className="page">
      <div className="page-inner">
        <PageTitle title="This page cannot be shown" />
        <ProblemView error={error} />
      </div>
    </div>
  );
}
