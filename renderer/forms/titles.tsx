// The titles of lists and objects in forms. They are legends: a heading there would be out of the order of the page's headings.
import { Group, Text } from '@mantine/core';
import { type ArrayFieldTitleProps, titleId, type TitleFieldProps } from '@rjsf/utils';

export function ListTitle({ fieldPathId, title, optionalDataControl }: ArrayFieldTitleProps) {
  if (title === undefined || title === '') return null;
  return <Title id={titleId(fieldPathId)} title={title} control={optionalDataControl} />;
}

export function ObjectTitle({ id, title, optionalDataControl }: TitleFieldProps) {
  return <Title id={id} title={title} control={optionalDataControl} />;
}

function Title({ id, title, control }: { id: string; title: string; control: TitleFieldProps['optionalDataControl'] }) {
  return (
    <Group gap="xs" component="span">
      <Text id={id} component="span" size="sm" fw={600}>
        {title}
      </Text>
      {control}
    </Group>
  );
}
