import {
  Availability,
  changeMemberRole,
  getAvailability,
  getEntitlements,
  getOrganization,
  inviteMember,
  listMembers,
  Member,
  Organization,
  removeMember,
  setAvailability,
  updateOrganization
} from "@parley/domain"
import { DateTime } from "effect"
import type { MembersApi, OrganizationApi } from "../../organization.ts"
import type { ExamplesOf } from "./Example.ts"
import { entitlements, invited, joined, organization as bakery, owner, pageOf } from "./samples.ts"

const timezone = "Europe/Lisbon"

export const organization: ExamplesOf<typeof OrganizationApi> = {
  get: { runs: getOrganization, answer: bakery },
  update: {
    runs: updateOrganization,
    request: { timezone },
    answer: new Organization({ ...bakery, timezone, version: bakery.version + 1 })
  },
  entitlements: { runs: getEntitlements, answer: entitlements }
}

export const members: ExamplesOf<typeof MembersApi> = {
  list: { runs: listMembers, answer: pageOf(owner, invited) },
  invite: {
    runs: inviteMember,
    request: { email: invited.email, role: invited.role },
    answer: {
      member: invited,
      invitation: { delivery: "mail", expiresAt: DateTime.add(invited.invitedAt, { days: 7 }) }
    }
  },
  changeRole: {
    runs: changeMemberRole,
    request: { role: "admin" },
    answer: new Member({ ...joined, role: "admin", version: joined.version + 1 })
  },
  remove: { runs: removeMember },
  availability: { runs: getAvailability, answer: new Availability({}) },
  setAvailability: {
    runs: setAvailability,
    request: { status: "away" },
    answer: new Availability({ status: "away" })
  }
}
