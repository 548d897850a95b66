import './gallery.css';
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import { definitionsQuery, playbooksQuery } from '../../api/queries.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { OFFERED_TYPES, WHAT_THEY_DO } from './beginnings.ts';
import { useHasDraft } from '../../editor/drafts.ts';
import { addTemplate, type Template, TEMPLATES } from './templates.ts';
import { TypePicture } from './type-picture.tsx';

/** Where a new definition begins: with its type, or with a template. */
export function Gallery({ playbook }: { playbook: string }) {
  return (
    <div className="page">
      <PageTitle title="New definition" />
      <section aria-labelledby="types">
        <Text id="types" component="h2" fw={650} mb="xs">
          Start with a type
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
          {OFFERED_TYPES.map((type) => (
            <TypeCard key={type} playbook={playbook} type={type} />
          ))}
        </SimpleGrid>
      </section>
      <section aria-labelledby="templates">
        <Text id="templates" component="h2" fw={650} mt="xl" mb={2}>
          Start with a template
        </Text>
        <Text size="sm" c="dimmed" mb="xs">
          Definitions that work together, with examples. Change them afterwards as you like.
        </Text>
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
          {TEMPLATES.map((template) => (
            <TemplateCard key={template.id} playbook={playbook} template={template} />
          ))}
        </SimpleGrid>
      </section>
    </div>
  );
}

function TypeCard({ playbook, type }: { playbook: string; type: DefinitionType }) {
  const hasDraft = useHasDraft({ playbook, type, name: '' });
  return (
    <Link
      to="/playbooks/$playbook/definitions/new"
      params={{ playbook }}
      search={{ type }}
      className="card gallery-type"
    >
      <TypePicture type={type} />
      <div className="gallery-words">
        <Group gap={8}>
          <TypeIcon type={type} />
          <Text component="h3" fw={600} tt="capitalize">
            {type}
          </Text>
        </Group>
        <Text size="sm" c="dimmed" mt={4}>
          {WHAT_THEY_DO[type]}
          {hasDraft && ' You have a draft that is not saved yet.'}
        </Text>
      </div>
    </Link>
  );
}

function TemplateCard({ playbook, template }: { playbook: string; template: Template }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: about } = useQuery({
    ...playbooksQuery,
    select: (all) => all.find(({ id }) => id === playbook),
  });
  const { data: existing } = useQuery(definitionsQuery(playbook));
  const [first] = template.definitions;
  const adding = useMutation({
    mutationFn: (to: NonNullable<typeof about>) => addTemplate({ ...to, playbook }, template),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: [playbook, 'definitions'] });
      if (first === undefined) return;
      const { type, name } = first;
      await navigate({ to: '/playbooks/$playbook/definitions/$type/$name', params: { playbook, type, name } });
    },
  });
  const used = template.definitions.find((one) =>
    existing?.some(({ type, name }) => type === one.type && name === one.name),
  );
  return (
    <article className="card" aria-label={template.title}>
      <Stack gap={6} h="100%">
        <Text component="h3" fw={600}>
          {template.title}
        </Text>
        <Text size="sm">{template.summary}</Text>
        {template.needs !== undefined && (
          <Text size="sm" c="dimmed">
            <InlineCode>{template.needs}</InlineCode>
          </Text>
        )}
        {template.definitions.map(({ type, name }) => (
          <Group key={name} gap={6} wrap="nowrap">
            <TypeIcon type={type} size={14} />
            <Text size="sm" c="dimmed">
              {type}/{name}
            </Text>
          </Group>
        ))}
        {adding.error !== null && <ProblemView error={adding.error} />}
        <Group mt="auto" pt={4}>
          {used === undefined ? (
            <Button
              size="xs"
              variant="light"
              leftSection={<Plus size={14} aria-hidden />}
              loading={adding.isPending}
              disabled={about === undefined || existing === undefined}
              onClick={() => about !== undefined && adding.mutate(about)}
            >
              Add to the playbook
            </Button>
          ) : (
            <Text size="sm" c="dimmed">
              The playbook already has {used.type}/{used.name}.
            </Text>
          )}
        </Group>
      </Stack>
    </article>
  );
}
