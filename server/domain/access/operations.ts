// What callers can learn about themselves.
import Type from 'typebox';
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts';
import { LOCAL_ORG } from '../../../shared/product.ts';
import { CallerSchema } from '../../../shared/schemas/index.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';

export function accessOperations(): Operation[] {
  return [
    defineOperation({
      name: 'get_caller',
      tag: 'Access',
      title: 'Get the caller',
      description:
        'Returns who the credential of the request belongs to, its org, and what it permits there. In local mode, the developer with every permission in the org `local`.',
      // Callers may read about themselves, whatever permissions they have.
      permissions: [],
      method: 'GET',
      route: '/caller',
      isOutsideOrgs: true,
      path: Type.Object({}),
      output: CallerSchema,
      problems: [],
      hints: { readOnly: true, destructive: false, idempotent: true },
      mcp: false,
      addition: true,
      async handle({ caller }) {
        const { id, form, org = LOCAL_ORG } = caller;
        const permissions = ALL_PERMISSIONS.filter((permission) => caller.may(permission, org));
        return {
          id,
          form,
          org,
          permissions: [...permissions],
          all_playbooks: permissions.some((permission) => caller.may(permission, org, '*')),
        };
      },
    }),
  ];
}
