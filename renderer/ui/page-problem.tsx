import { ProblemView } from './problem-view.tsx';

export function PageProblem({ error }: { error: unknown }) {
  return (
    <div className="page">
      <div className="page-inner">
        <ProblemView error={error} />
      </div>
    </div>
  );
}
