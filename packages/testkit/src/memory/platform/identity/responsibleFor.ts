import type { OrganizationId } from "@parley/domain/kernel"
import type { AutomationToken, ResponsibleMember } from "@parley/domain/platform"
import { HashMap } from "effect"
import { rowAt, type State, tenantOf } from "../../store/State.ts"

/** Returns the state of the member responsible for the token. A missing user cannot be responsible. */
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
