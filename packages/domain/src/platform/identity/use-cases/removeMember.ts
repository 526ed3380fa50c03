import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { Locks, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { MemberId } from "../Member.ts"
import { Members } from "../Members.ts"
import { requireAnotherOwner, requireRankFor } from "../ownership.ts"
import { releaseAssignments } from "../releaseAssignments.ts"

/** Removes a member, or takes an invitation back. What they have looked after is nobody's then. */
export const removeMember = useCase(
  "identity.removeMember",
  { access: { permission: "members.manage" } },
  Effect.fnUntraced(function* (id: MemberId, expectedVersion: number | null = null) {
    const members = yield* Members
    yield* (yield* Locks).exclusive("members")
    const member = yield* members.get(id)
    yield* requireRankFor(member.role)
    yield* requireVersion(member, expectedVersion)
    yield* requireAnotherOwner(member)
    yield* members.remove(id)
    yield* releaseAssignments(member)
    yield* record("member.removed", { kind: "member", id }, { before: { email: member.email, role: member.role } })
    yield* appendEvent({ type: "member.removed", memberId: id })
  }, transact)
)
