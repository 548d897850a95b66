/** The command that trains the models of waiting builds, with the server of this page: it may not be the default one. */
export function TrainCommand({ playbook }: { playbook: string }) {
  return (
    <code>
      npx cuebook train {playbook} --server {location.origin}
    </code>
  );
}
