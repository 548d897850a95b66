import { Text } from '@mantine/core';
import { type DefinitionType, isDefinitionType } from '../../../shared/definition-types.ts';
import { AnchorLink } from '../../ui/links.tsx';

interface Use {
  type: DefinitionType;
  name: string;
  /** How it uses the definition, as the end of a sentence. */
  does: string;
}

const LINE = /^\*\*Used by\*\* ([a-z]+)\/([a-z0-9-]+), (.*)$/;

/** Splits an overview into the description and the lines of its users. */
export function splitOverview(overview: string | undefined): { about: string | undefined; uses: readonly Use[] } {
  const paragraphs = overview?.split('\n\n') ?? [];
  const uses = paragraphs.flatMap((paragraph): Use[] => {
    const [, type = '', name = '', does = ''] = LINE.exec(paragraph) ?? [];
    return isDefinitionType(type) ? [{ type, name, does }] : [];
  });
  const about = paragraphs.filter((paragraph) => !LINE.test(paragraph)).join('\n\n');
  return { about: overview === undefined ? undefined : about, uses };
}

/** The users of a definition, with links. */
export function UsedBy({ playbook, uses }: { playbook: string; uses: readonly Use[] }) {
  if (uses.length === 0) return null;
  return (
    <section aria-labelledby="used-by" className="used-by">
      <Text id="used-by" component="h2" fw={700} size="sm">
        Used by
      </Text>
      <ul>
        {uses.map(({ type, name, does }) => (
          <li key={`${type}/${name} ${does}`}>
            <AnchorLink to="/playbooks/$playbook/definitions/$type/$name" params={{ playbook, type, name }}>
              {type}/{name}
            </AnchorLink>
            , {does}
          </li>
        ))}
      </ul>
    </section>
  );
}
