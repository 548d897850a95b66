import './definitions.css';
import { Anchor, ScrollArea, Skeleton, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useChildMatches, useParams } from '@tanstack/react-router';
import { ArrowLeft, CircleAlert, FilePen, Plus, Search } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { DEFINITION_TYPES } from '../../../shared/definition-types.ts';
import type { DefinitionListEntry } from '../../../shared/api/index.ts';
import { definitionsQuery } from '../../api/queries.ts';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useKeys } from '../../ui/keyboard.ts';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { useHasDraft } from '../../editor/drafts.ts';
import { stalledViewsQuery } from './stalled-views.ts';
import { IfMay } from '../../sign-in/if-may.tsx';

export function DefinitionsPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/definitions' });
  const [searched, setSearched] = useState('');
  const [withRetired, setWithRetired] = useState(false);
  const { data, error } = useQuery(definitionsQuery(playbook));
  const stalled = new Set(useQuery(stalledViewsQuery(playbook)).data?.map(keyOf));
  const retired = data?.filter(({ status }) => status === 'retired').length ?? 0;
  const shown = data?.filter(
    ({ name, status }) => (withRetired || status === 'active') && name.includes(searched.trim().toLowerCase()),
  );
  const isChosen = useChildMatches({ select: ([child]) => child?.routeId !== '/playbooks/$playbook/definitions/' });
  const tree = useRef<HTMLElement>(null);
  useLeafKeys(tree);
  return (
    <div className="definitions" data-chosen={isChosen || data?.length === 0 || undefined}>
      <section ref={tree} className="tree" aria-label="All definitions">
        <Title order={1} fz={22} mb="sm" className="narrow-only">
          Definitions
        </Title>
        <IfMay call="create_definition">
          <ButtonLink
            variant="light"
            fullWidth
            size="xs"
            leftSection={<Plus size={14} aria-hidden />}
            to="/playbooks/$playbook/definitions/new"
            params={{ playbook }}
          >
            New definition
          </ButtonLink>
        </IfMay>
        <TextInput
          size="xs"
          my={10}
          aria-label="Find a definition"
          placeholder="Find"
          leftSection={<Search size={14} aria-hidden />}
          value={searched}
          onChange={(event) => setSearched(event.currentTarget.value)}
        />
        <ScrollArea style={{ flex: 1, minHeight: 0 }} type="auto" scrollbarSize={8} offsetScrollbars="present">
          {data === undefined && error === null && <Skeleton height={160} />}
          {error !== null && <ProblemView error={error} />}
          {DEFINITION_TYPES.map((type) => (
            <Branch
              key={type}
              playbook={playbook}
              definitions={shown?.filter((one) => one.type === type) ?? []}
              stalled={stalled}
            />
          ))}
          {shown?.length === 0 && data?.length !== 0 && (
            <Text size="sm" c="dimmed" px={8}>
              No matching definitions.
            </Text>
          )}
          {retired > 0 && (
            <Anchor component="button" size="xs" px={8} mt="sm" onClick={() => setWithRetired(!withRetired)}>
              {withRetired ? 'Hide retired' : `Show ${retired} retired`}
            </Anchor>
          )}
        </ScrollArea>
      </section>
      <div className="definition">
        {isChosen && (
          <AnchorLink
            size="sm"
            className="narrow-only definitions-back"
            to="/playbooks/$playbook/definitions"
            params={{ playbook }}
          >
            <ArrowLeft size={14} aria-hidden style={{ verticalAlign: -2 }} /> Definitions
          </AnchorLink>
        )}
        <Outlet />
      </div>
    </div>
  );
}

function keyOf({ type, name }: Pick<DefinitionListEntry, 'type' | 'name'>): string {
  return `${type}/${name}`;
}

interface BranchProps {
  playbook: string;
  definitions: readonly DefinitionListEntry[];
  /** Those whose view stalled, as TYPE/NAME. */
  stalled: ReadonlySet<string>;
}

function Branch({ playbook, definitions, stalled }: BranchProps) {
  const type = definitions[0]?.type;
  if (type === undefined) return null;
  return (
    <section aria-label={type}>
      <Text component="h2" className="branch">
        <TypeIcon type={type} size={14} />
        {type}
      </Text>
      {definitions.map((definition) => (
        <Leaf
          key={definition.name}
          playbook={playbook}
          definition={definition}
          isStalled={stalled.has(keyOf(definition))}
        />
      ))}
    </section>
  );
}

interface LeafProps {
  playbook: string;
  definition: DefinitionListEntry;
  isStalled: boolean;
}

function Leaf({ playbook, definition: { type, name, status }, isStalled }: LeafProps) {
  const hasDraft = useHasDraft({ playbook, type, name });
  return (
    <Link
      to="/playbooks/$playbook/definitions/$type/$name"
      params={{ playbook, type, name }}
      className="leaf"
      activeOptions={{ includeSearch: false }}
    >
      {name}
      {status === 'retired' && ' (retired)'}
      {isStalled && (
        <>
          {' '}
          <span className="leaf-stalled" title="View stalled">
            <CircleAlert size={13} aria-label="view stalled" role="img" />
          </span>
        </>
      )}
      {hasDraft && (
        <span className="leaf-draft" title="Not saved yet">
          <FilePen size={13} aria-label="not saved yet" role="img" />
        </span>
      )}
    </Link>
  );
}

/** `j` and `k` go through the links of a tree. */
function useLeafKeys(tree: RefObject<HTMLElement | null>): void {
  const move = (step: number) => (): void => {
    const leaves = [...(tree.current?.querySelectorAll<HTMLElement>('.leaf') ?? [])];
    const active = tree.current?.querySelector<HTMLElement>('.leaf[data-status="active"]');
    const from = leaves.findIndex((leaf) => leaf === document.activeElement);
    const at = from === -1 ? leaves.findIndex((leaf) => leaf === active) : from;
    leaves[at === -1 ? 0 : Math.min(leaves.length - 1, Math.max(0, at + step))]?.focus();
  };
  useKeys({ j: move(1), k: move(-1) });
}
