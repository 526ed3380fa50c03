import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { admitting } from "../../entitlements/index.ts"
import { nextId, type Role, transact, useCase, type UserId } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { EmailUnverified } from "../Errors.ts"
import { Member, MemberId } from "../Member.ts"
import { Members } from "../Members.ts"
import { userOf } from "../currentUser.ts"

/** Makes a person who has an account a member, without an invitation. */
export const addMember = useCase(
  "identity.addMember",
  { access: "operator" },
  Effect.fnUntraced(function* (userId: UserId, role: Role) {
    const members = yield* Members
    const user = yield* userOf(userId)
    if (user.emailVerifiedAt === null) return yield* new EmailUnverified({ email: user.email })
    const now = yield* DateTime.now
    const member = new Member({
      id: yield* nextId(MemberId),
      userId,
      email: user.email,
      name: user.name,
      role,
      status: "active",
      invitedAt: now,
      joinedAt: now,
      version: 1
    })
    yield* members.insert(member, null).pipe(admitting("seats"))
    yield* record("member.joined", { kind: "member", id: member.id }, { after: { email: member.email, role } })
    yield* appendEvent({ type: "member.joined", memberId: member.id, role })
    return member
  }, transact)
)
