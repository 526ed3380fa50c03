import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { Locks, requireVersion, type Role, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { MemberId } from "../Member.ts"
import { Members } from "../Members.ts"
import { permissionsOfRole } from "../Roles.ts"
import { requireAnotherOwner, requireRankFor } from "../ownership.ts"
import { releaseAssignments } from "../releaseAssignments.ts"

/** Gives a member another role. Who may not look after conversations with it does not any more. */
export const changeMemberRole = useCase(
  "identity.changeMemberRole",
  { access: { permission: "members.manage" } },
  Effect.fnUntraced(function* (id: MemberId, role: Role, expectedVersion: number | null) {
    const members = yield* Members
    yield* (yield* Locks).exclusive("members")
    const before = yield* members.get(id)
    yield* requireRankFor(before.role, role)
    yield* requireVersion(before, expectedVersion)
    if (before.role === role) return before
    if (role !== "owner") yield* requireAnotherOwner(before)
    const after = yield* members.setRole(id, role, expectedVersion)
    if (!permissionsOfRole(role).has("conversations.manage")) yield* releaseAssignments(after)
    yield* record("member.role_changed", { kind: "member", id }, { before: { role: before.role }, after: { role } })
    yield* appendEvent({ type: "member.role_changed", memberId: id, from: before.role, to: role })
    return after
  }, transact)
)
