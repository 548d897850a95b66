import { Alert, List, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { ProblemError } from '../../api/problem-error.ts';
import { InlineCode } from '../../ui/inline-code.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';

/** Why an archive was refused: what is wrong in each of its files. */
export function ArchiveFaults({ error }: { error: unknown }) {
  const faults = faultsByFile(error);
  if (faults.size === 0) return <ProblemView error={error} />;
  return (
    <Alert color="red" icon={<CircleAlert size={18} />} title="The archive was refused">
      <Text size="sm">Nothing was imported. Correct the archive and choose it again.</Text>
      {[...faults].map(([file, details]) => (
        <section key={file} aria-label={file === '' ? 'The archive' : file} className="import-file">
          {file !== '' && <code>{file}</code>}
          <List size="sm">
            {details.map((detail) => (
              <List.Item key={detail}>
                <InlineCode>{detail}</InlineCode>
              </List.Item>
            ))}
          </List>
        </section>
      ))}
    </Alert>
  );
}

/** The issues of an invalid archive. Those of a whole archive name their file themselves, and are under an empty name. */
function faultsByFile(error: unknown): Map<string, string[]> {
  const faults = new Map<string, string[]>();
  if (!(error instanceof ProblemError) || error.problemName !== 'invalid_input') return faults;
  for (const { pointer, detail } of error.problem.errors ?? []) {
    const file = pointer.slice(1);
    // The file says which definition it is.
    const words = file === '' ? detail : detail.replace(/^[a-z]+\/[a-z0-9-]+: /, '');
    faults.set(file, [...(faults.get(file) ?? []), words]);
  }
  return faults;
}
