import './tools.css';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, Eye, Globe, PencilLine, Repeat, TriangleAlert, Wrench } from 'lucide-react';
import type { ToolDescription } from '../../../shared/api/index.ts';
import type { ToolKey } from '../../api/queries.ts';
import { InlineCode } from '../../ui/inline-code.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { JsonView } from '../../ui/json/json-view.tsx';
import { CallHistory } from './call-history-view.tsx';
import { ToolBench } from './tool-bench.tsx';
import { toolQuery } from './tool-queries.ts';

export function ToolPage() {
  const key = useParams({ from: '/playbooks/$playbook/tools/$server/$tool' });
  return <Page key={`${key.playbook} ${key.server}/${key.tool}`} toolKey={key} />;
}

function Page({ toolKey }: { toolKey: ToolKey }) {
  const { playbook, server, tool } = toolKey;
  const described = useQuery(toolQuery(toolKey));
  return (
    <div className="page">
      <div className="page-inner">
        <PageTitle
          title={`${server}/${tool}`}
          before={<Wrench size={20} aria-hidden style={{ color: 'var(--mantine-color-anchor)', flexShrink: 0 }} />}
          about={described.data !== undefined && <Hints tool={described.data} />}
        >
          <Button
            size="xs"
            variant="default"
            leftSection={<ArrowLeft size={14} aria-hidden />}
            renderRoot={(props) => (
              <Link {...props} to="/playbooks/$playbook/tools" params={{ playbook }} search={{}} />
            )}
          >
            All tools
          </Button>
        </PageTitle>
        <Stack gap="lg">
          {described.isPending && <Skeleton height={320} />}
          {described.error !== null && <ProblemView error={described.error} />}
          {described.data !== undefined && (
            <>
              <Words tool={described.data} />
              <ToolBench toolKey={toolKey} tool={described.data} />
            </>
          )}
          <CallHistory toolKey={toolKey} />
        </Stack>
      </div>
    </div>
  );
}

/** The annotations that the server gives, in words. */
function Hints({ tool: { annotations } }: { tool: ToolDescription }) {
  return (
    <Group gap="md" component="span">
      {annotations?.readOnlyHint === true ? (
        <Mark sense="quiet" icon={Eye}>
          Read-only, according to its server
        </Mark>
      ) : (
        <Mark sense="warn" icon={PencilLine}>
          May make changes
        </Mark>
      )}
      {annotations?.destructiveHint === true && (
        <Mark sense="bad" icon={TriangleAlert}>
          May be destructive
        </Mark>
      )}
      {annotations?.idempotentHint === true && (
        <Mark sense="quiet" icon={Repeat}>
          Idempotent
        </Mark>
      )}
      {annotations?.openWorldHint === true && (
        <Mark sense="quiet" icon={Globe}>
          Accesses external systems
        </Mark>
      )}
    </Group>
  );
}

function Words({ tool: { server, description, input_schema: schema } }: { tool: ToolDescription }) {
  return (
    <section aria-label="Description">
      <figure className="their-words">
        <figcaption>Written by the server {server}, not by Cuebook</figcaption>
        {description === '' ? (
          <Text c="dimmed">No description.</Text>
        ) : (
          <p>
            <InlineCode>{description}</InlineCode>
          </p>
        )}
      </figure>
      <details>
        <summary>Schema of the arguments</summary>
        <div style={{ marginTop: 8 }}>
          <JsonView value={schema} label="Schema of the arguments" />
        </div>
      </details>
    </section>
  );
}
