import { Schema } from "effect"
import { eventAppender, AutomationTokenId, OrganizationId, PlanName, Role } from "../../kernel/index.ts"
import { MemberId } from "./Member.ts"
import { OrganizationStatus } from "./Organization.ts"

export const IdentityEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("organization.created"), organizationId: OrganizationId }),
  Schema.Struct({ type: Schema.Literal("organization.updated"), organizationId: OrganizationId }),
  Schema.Struct({
    type: Schema.Literal("organization.plan_changed"),
    organizationId: OrganizationId,
    from: PlanName,
    to: PlanName
  }),
  Schema.Struct({
    type: Schema.Literal("organization.status_changed"),
    organizationId: OrganizationId,
    from: OrganizationStatus,
    to: OrganizationStatus
  }),
  Schema.Struct({ type: Schema.Literal("member.invited"), memberId: MemberId, role: Role }),
  Schema.Struct({ type: Schema.Literal("member.joined"), memberId: MemberId, role: Role }),
  Schema.Struct({ type: Schema.Literal("member.role_changed"), memberId: MemberId, from: Role, to: Role }),
  Schema.Struct({ type: Schema.Literal("member.removed"), memberId: MemberId }),
  Schema.Struct({ type: Schema.Literal("member.availability_changed"), memberId: MemberId }),
  Schema.Struct({ type: Schema.Literal("automation_token.issued"), automationTokenId: AutomationTokenId }),
  Schema.Struct({ type: Schema.Literal("automation_token.adopted"), automationTokenId: AutomationTokenId }),
  Schema.Struct({ type: Schema.Literal("automation_token.revoked"), automationTokenId: AutomationTokenId })
])
export type IdentityEvent = typeof IdentityEvent.Type

/** Appends an event of this area in the commit of the change that it describes. */
export const appendEvent = eventAppender<IdentityEvent>()
