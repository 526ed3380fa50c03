import { defineArea, seenWith } from "../../kernel/index.ts"
import { identityCredentials } from "./credentials.ts"
import { IdentityEvent } from "./Events.ts"
import { identityStorage } from "./Storage.ts"
import { identityWorks } from "./work.ts"
import { tokenRequesters, userRequesters } from "./requesters.ts"
import { seatUse } from "./usage.ts"
import { identityResources } from "./eventResources.ts"

/** What this area says of itself. */
export const identityArea = defineArea({
  name: "platform/identity",
  storage: identityStorage,
  events: seenWith(IdentityEvent, {
    "organization.created": "organization.read",
    "organization.updated": "organization.read",
    "organization.plan_changed": "organization.read",
    "organization.status_changed": "organization.read",
    "member.invited": "members.read",
    "member.joined": "members.read",
    "member.role_changed": "members.read",
    "member.removed": "members.read",
    "member.availability_changed": "members.read",
    "automation_token.issued": "tokens.manage",
    "automation_token.adopted": "tokens.manage",
    "automation_token.revoked": "tokens.manage"
  }),
  permissions: [
    "organization.read",
    "organization.manage",
    "owners.manage",
    "members.read",
    "members.manage",
    "tokens.manage"
  ],
  works: identityWorks,
  limitUses: [seatUse],
  requesters: [userRequesters, tokenRequesters],
  credentials: identityCredentials,
  eventResources: identityResources
})
