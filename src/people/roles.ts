import { type Scope, scopes } from '../base/operation.ts'

const looks: Scope[] = ['banking:read', 'rewards:read', 'events:read']

/** The roles that every service has, each a list of scopes. */
const predefinedRoles: Record<string, readonly Scope[]> = {
  viewer: looks,
  support: [...looks, 'personal:read'],
  auditor: [...looks, 'audit:read'],
  developer: [...looks, 'webhooks:write', 'keys:write', 'sandbox:write'],
  reviewer: [...looks, 'personal:read', 'audit:read', 'review:write'],
  risk: [...looks, 'personal:read', 'audit:read', 'review:write', 'risk:write'],
  operator: [
    'banking:write',
    'rewards:write',
    'events:read',
    'webhooks:write',
    'personal:read',
    'audit:read',
    'review:write',
    'risk:write',
  ],
  administrator: scopes,
}

/** The roles of a service: its own, and those that the operator has defined. */
export type Roles = ReadonlyMap<string, readonly Scope[]>

/** The predefined roles with those of the operator, which may replace them. */
export function rolesWith(own: Record<string, readonly Scope[]> = {}): Roles {
  return new Map(Object.entries({ ...predefinedRoles, ...own }))
}

/** Scopes with which a person signs decisions, or gives rights to others or to keys. */
const powers: readonly Scope[] = ['review:write', 'risk:write', 'keys:write', 'people:write']

/** Whether a role lets a person be the second one of a decision, or make one who is. */
export function isPowerful(roles: Roles, role: string): boolean {
  return roles.get(role)?.some((scope) => powers.includes(scope)) ?? false
}
