import { DateTime, Duration, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { requireRoom } from "../../entitlements/index.ts"
import { Ids, Locks, nextId, Outbox, transact, useCase, Vault } from "../../kernel/index.ts"
import { Member, MemberId, type NewMember } from "../Member.ts"
import { Members } from "../Members.ts"
import { requireRankFor } from "./ownership.ts"

const invitationLife = Duration.days(7)

/** Invites a person. The token of the one-time link is shown now and never again. */
export const inviteMember = useCase(
  "identity.inviteMember",
  { access: { permission: "members.manage" } },
  Effect.fnUntraced(function* (input: NewMember) {
    const members = yield* Members
    yield* requireRankFor(input.role)
    yield* (yield* Locks).exclusive("members")
    yield* requireRoom("seats", yield* members.count())
    const now = yield* DateTime.now
    const token = yield* (yield* Ids).secret(32)
    const expiresAt = DateTime.addDuration(now, invitationLife)
    const member = new Member({
      id: yield* nextId(MemberId),
      userId: null,
      email: input.email,
      name: null,
      role: input.role,
      status: "invited",
      invitedAt: now,
      joinedAt: null,
      version: 1
    })
    yield* members.insert(member, { digest: yield* (yield* Vault).digest(token), expiresAt })
    yield* record(
      "member.invited",
      { kind: "member", id: member.id },
      {
        after: { email: member.email, role: member.role }
      }
    )
    yield* (yield* Outbox).append({ type: "member.invited", memberId: member.id, role: member.role })
    return { member, invitation: { token, expiresAt } }
  }, transact)
)
