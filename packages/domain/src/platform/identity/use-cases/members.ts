import { DateTime, Effect, Equal } from "effect"
import {
  Locks,
  nextId,
  paged,
  type PageRequest,
  requireVersion,
  type Role,
  transact,
  useCase,
  type UserId
} from "../../../kernel/index.ts"
import { recordAudit } from "../../audit/index.ts"
import { withinLimit } from "../../entitlements/index.ts"
import { Availabilities, Availability, type AvailabilityInput, requireSelfOrManager } from "../Availability.ts"
import { Member, MemberId, Members, releaseMemberResponsibilities } from "../Member.ts"
import { requireUser } from "../User.ts"
import { EmailUnverified } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { permissionsOfRole, requireAnotherOwner, requireGrantOf, requireOwnerFor } from "../memberRoles.ts"

/** Lists the members and the open invitations. */
export const listMembers = useCase(
  { name: "identity.listMembers", access: { permission: "members.read" } },
  Effect.fnUntraced(function* ({ page }: { readonly page: PageRequest }) {
    const members = yield* Members
    return yield* paged(
      "members",
      page,
      (slice) => members.list(slice),
      (member) => [member.id]
    )
  })
)

/** Makes an existing user a member, without an invitation. */
export const addMember = useCase(
  { name: "identity.addMember", access: "operator", audit: "member.joined", emits: ["member.joined"] },
  Effect.fnUntraced(function* ({ userId, role }: { readonly userId: UserId; readonly role: Role }) {
    const members = yield* Members
    const user = yield* requireUser(userId)
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
    yield* members.insert(member, null).pipe(withinLimit("seats"))
    yield* recordAudit("member.joined", { kind: "member", id: member.id }, { after: { email: member.email, role } })
    yield* appendEvent({ type: "member.joined", memberId: member.id, role })
    return member
  }, transact)
)

/** Changes the role of a member. A member whose role excludes conversations loses their assignments. */
export const changeMemberRole = useCase(
  {
    name: "identity.changeMemberRole",
    access: { permission: "members.manage" },
    audit: "member.role_changed",
    emits: ["member.role_changed"]
  },
  Effect.fnUntraced(function* ({
    id,
    role,
    ifVersion
  }: {
    readonly id: MemberId
    readonly role: Role
    readonly ifVersion: number | null
  }) {
    const members = yield* Members
    yield* (yield* Locks).exclusive("members")
    const before = yield* members.get(id)
    yield* requireOwnerFor(before.role, role)
    yield* requireGrantOf(role)
    yield* requireVersion(before, ifVersion)
    if (before.role === role) return before
    if (role !== "owner") yield* requireAnotherOwner(before)
    const after = yield* members.setRole(id, role, ifVersion)
    if (!permissionsOfRole(role).has("conversations.manage")) yield* releaseMemberResponsibilities(after)
    yield* recordAudit(
      "member.role_changed",
      { kind: "member", id },
      { before: { role: before.role }, after: { role } }
    )
    yield* appendEvent({ type: "member.role_changed", memberId: id, from: before.role, to: role })
    return after
  }, transact)
)

/** Removes a member, or revokes an invitation. The member's assignments become unassigned. */
export const removeMember = useCase(
  {
    name: "identity.removeMember",
    access: { permission: "members.manage" },
    audit: "member.removed",
    emits: ["member.removed"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion = null
  }: {
    readonly id: MemberId
    readonly ifVersion?: number | null
  }) {
    const members = yield* Members
    yield* (yield* Locks).exclusive("members")
    const member = yield* members.get(id)
    yield* requireOwnerFor(member.role)
    yield* requireVersion(member, ifVersion)
    yield* requireAnotherOwner(member)
    yield* members.remove(id)
    yield* releaseMemberResponsibilities(member)
    yield* recordAudit("member.removed", { kind: "member", id }, { before: { email: member.email, role: member.role } })
    yield* appendEvent({ type: "member.removed", memberId: id })
  }, transact)
)

/** Reads whether a member takes automatically assigned conversations, and the maximum number. */
export const getAvailability = useCase(
  { name: "identity.getAvailability", access: { permission: "members.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: MemberId }) {
    yield* requireSelfOrManager(id)
    return yield* (yield* Availabilities).get(id)
  })
)

/** Sets whether a member takes automatically assigned conversations, and the maximum number. */
export const setAvailability = useCase(
  {
    name: "identity.setAvailability",
    access: { permission: "members.read" },
    audit: "member.availability_changed",
    emits: ["member.availability_changed"]
  },
  Effect.fnUntraced(function* ({ id, capacity, status }: { readonly id: MemberId } & AvailabilityInput) {
    yield* requireSelfOrManager(id)
    const availabilities = yield* Availabilities
    const before = yield* availabilities.lock(id)
    const after = new Availability({ status, capacity: capacity ?? before.capacity })
    if (Equal.equals(before, after)) return before
    yield* availabilities.save(id, after)
    yield* recordAudit(
      "member.availability_changed",
      { kind: "member", id },
      { before: { ...before }, after: { ...after } }
    )
    yield* appendEvent({ type: "member.availability_changed", memberId: id })
    return after
  }, transact)
)
