import type { AutomationToken, OrganizationId, ResponsibleMember } from "@parley/domain"
import { HashMap } from "effect"
import { rowAt, type State, tenantOf } from "../../store/State.ts"

/** How the person who answers for the token stands. A user who is not there at all is nobody who could. */
export const responsibleFor = (
  state: State,
  organizationId: OrganizationId,
  { responsibleUserId }: AutomationToken
): ResponsibleMember => {
  const membership = HashMap.toValues(tenantOf(state, organizationId).members).find(
    ({ member }) => member.userId === responsibleUserId && member.status === "active"
  )
  return {
    status: rowAt(state.users, responsibleUserId)?.user.status ?? "disabled",
    role: membership?.member.role ?? null
  }
}
