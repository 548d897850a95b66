import { useNavigate, useSearch } from '@tanstack/react-router';
import { changeSearch } from '../../ui/search-params.ts';
import { useMayCall } from '../../api/session/use-session.ts';
import { ImportPlaybook } from './import-playbook.tsx';

/** The dialog that imports into an existing playbook, on its home. */
export function ImportInto({ playbook }: { playbook: string }) {
  const search = useSearch({ from: '/playbooks/$playbook/' });
  const navigate = useNavigate();
  const close = (): void =>
    void navigate({
      to: '/playbooks/$playbook',
      params: { playbook },
      search: changeSearch(search, { import: undefined }),
      replace: true,
    });
  if (!useMayCall('plan_import')) return null;
  return <ImportPlaybook playbook={playbook} onClose={close} onImported={close} />;
}
