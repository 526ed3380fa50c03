import { DateTime } from "effect"
import {
  Availability,
  changeMemberRole,
  getAvailability,
  inviteMember,
  listMembers,
  Member,
  removeMember,
  setAvailability
} from "@parley/domain/platform"
import { MembersApi } from "../../../api/organization.ts"
import { invited, joined, owner, samplePage } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

export const members = bind(MembersApi, {
  list: { runs: listMembers, response: samplePage(owner, invited) },
  invite: {
    runs: inviteMember,
    request: { email: invited.email, role: invited.role },
    response: {
      member: invited,
      invitation: { delivery: "mail", expiresAt: DateTime.add(invited.invitedAt, { days: 7 }) }
    }
  },
  changeRole: {
    runs: changeMemberRole,
    request: { role: "admin" },
    response: new Member({ ...joined, role: "admin", version: joined.version + 1 })
  },
  remove: { runs: removeMember },
  availability: { runs: getAvailability, response: new Availability({}) },
  setAvailability: {
    runs: setAvailability,
    request: { status: "away" },
    response: new Availability({ status: "away" })
  }
})
