import type { ResponsibleMember, Role, UserStatus } from "@parley/domain"

/** What the joins say of the person who answers for a token. */
export interface ResponsibleColumns {
  readonly userStatus: UserStatus | null
  readonly role: Role | null
}

/** Joins the person who answers for the token `t`: the user as `u`, the membership as `m`. */
export const joinResponsible = `LEFT JOIN users AS u ON u.id = t.responsible_user_id
  LEFT JOIN members AS m ON m.organization_id = t.organization_id AND m.user_id = t.responsible_user_id
    AND m.status = 'active'`

/** How that person stands. A user who is not there at all is nobody who could answer for it. */
export const responsibleOf = ({ role, userStatus }: ResponsibleColumns): ResponsibleMember => ({
  status: userStatus ?? "disabled",
  role
})
