import type { Role } from "@parley/domain/kernel"
import type { ResponsibleMember, UserStatus } from "@parley/domain/platform"

/** Joined columns of the person responsible for a token. */
export interface ResponsibleColumns {
  readonly userStatus: UserStatus | null
  readonly role: Role | null
}

/** Joins the person responsible for the token `t`: the user as `u`, the membership as `m`. */
export const joinResponsible = `LEFT JOIN users AS u ON u.id = t.responsible_user_id
  LEFT JOIN members AS m ON m.organization_id = t.organization_id AND m.user_id = t.responsible_user_id
    AND m.status = 'active'`

/** State of that person. A deleted user cannot be responsible. */
export const responsibleOf = ({ role, userStatus }: ResponsibleColumns): ResponsibleMember => ({
  status: userStatus ?? "disabled",
  role
})
