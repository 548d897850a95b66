import { Skeleton, Stack } from '@mantine/core';

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
