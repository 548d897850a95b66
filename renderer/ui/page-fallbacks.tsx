// What is shown in place of a page while it loads, where it cannot be shown, and where there is none.
import { Skeleton, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { EmptyState } from './empty-state.tsx';
import { PageTitle } from './page-title.tsx';
import { ProblemView } from './problem-view.tsx';

export function PageSkeleton() {
  return (
    <div className="page" aria-busy="true">
      <div className="page-inner">
        <Stack>
          <Skeleton height={32} width={240} />
          <Skeleton height={120} />
          <Skeleton height={220} />
        </Stack>
      </div>
    </div>
  );
}

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

export function NotFound() {
  return (
    <div className="page">
      <EmptyState isPage icon={Compass} title="Page not found" action={<Link to="/">All playbooks</Link>}>
        The address may be incomplete, or from another version of Cuebook.
      </EmptyState>
    </div>
  );
}

/** In place of every page of a playbook that does not exist. */
export function NoPlaybook({ playbook }: { playbook: string }) {
  return (
    <div className="page">
      <EmptyState
        isPage
        icon={Compass}
        title={`There is no playbook “${playbook}”`}
        action={<Link to="/">All playbooks</Link>}
      >
        The address may be misspelled, or from another server. If the playbook is created, this page opens it.
      </EmptyState>
    </div>
  );
}
