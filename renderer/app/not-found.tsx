import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { EmptyState } from '../ui/empty-state.tsx';

export function NotFound() {
  return (
    <div className="page">
      <EmptyState isPage icon={Compass} title="There is no such place" action={<Link to="/">All playbooks</Link>}>
        The address may be cut short, or of another version.
      </EmptyState>
    </div>
  );
}
