import { assert, layer } from "@effect/vitest"
import {
  AutomationTokenId,
  OrganizationId,
  type Permission,
  permissionsOf,
  Role,
  SessionId,
  UserId
} from "@parley/domain/kernel"
import {
  Accounts,
  authorize,
  resolveOnlyOrganization,
  permissionsOfRole,
  requireOrganization,
  type SessionAccess,
  setOrganizationStatus,
  type PersonTokenAccess,
  type TokenAccess
} from "@parley/domain/platform"
import {
  asOperatorOf,
  givenInvitation,
  givenMember,
  givenMembership,
  givenOrganization,
  givenUser,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { tagOf } from "../../tagOf.ts"

const id = (last: number) => `01990000-0000-7000-8000-00000000000${last}`

const organizationId = OrganizationId.make(id(1))
const other = OrganizationId.make(id(2))
const userId = UserId.make(id(3))

const session = { use: "session", userId, sessionId: SessionId.make(id(4)) } as const
const token = { use: "automation", tokenId: AutomationTokenId.make(id(5)), organizationId } as const

const goodSession: SessionAccess = {
  userId,
  userStatus: "active",
  live: true,
  mustChangePassword: false,
  membership: { role: "agent", organizationStatus: "active" }
}

const goodToken: PersonTokenAccess = {
  heldBy: "person",
  organizationId,
  organizationStatus: "active",
  responsibleUserId: userId,
  responsible: { status: "active", role: "admin" },
  permissions: ["members.read"],
  live: true
}

const answering = (answers: { readonly session?: SessionAccess | null; readonly token?: TokenAccess | null }) =>
  Effect.provideServiceEffect(
    Accounts,
    Effect.map(Accounts, (real) =>
      Accounts.of({
        ...real,
        sessionAccess: () => Effect.succeed(answers.session ?? null),
        tokenAccess: () => Effect.succeed(answers.token ?? null)
      })
    )
  )

layer(TestKit.layer)("admit", (it) => {
  it.effect("admits a live session of an active user who is a member, with the permissions of the role", () =>
    Effect.gen(function* () {
      const { actor, organizationId: admittedTo } = yield* authorize(session, organizationId).pipe(
        answering({ session: goodSession })
      )
      assert.strictEqual(admittedTo, organizationId)
      if (actor.kind !== "user") return assert.fail(actor.kind)
      assert.deepStrictEqual([actor.userId, actor.sessionId, actor.role], [userId, session.sessionId, "agent"])
      assert.sameMembers(Array.from(actor.permissions), [
        "organization.read",
        "members.read",
        "docs.handoff",
        "jobs.read",
        "contacts.read",
        "contacts.manage",
        "chat_accounts.read",
        "message_templates.read",
        "conversations.read",
        "conversations.manage",
        "jobs.manage",
        "broadcasts.read",
        "store_connections.read",
        "commerce.read",
        "analytics.read",
        "broadcasts.manage",
        "automations.read",
        "workflows.read",
        "events.read"
      ])
    })
  )

  it.effect("admits a session outside of any organization with no role and no permission", () =>
    Effect.gen(function* () {
      const admission = yield* authorize(session, null).pipe(answering({ session: goodSession }))
      assert.isNull(admission.organizationId)
      if (admission.actor.kind !== "user") return assert.fail(admission.actor.kind)
      assert.deepStrictEqual([admission.actor.role, admission.actor.permissions.size], [null, 0])
    })
  )

  it.effect("refuses a session, and says no more than it must", () =>
    Effect.gen(function* () {
      const refusal = (session_: SessionAccess | null) =>
        tagOf(authorize(session, organizationId)).pipe(answering({ session: session_ }))
      assert.strictEqual(yield* refusal(null), "TokenInvalid")
      assert.strictEqual(yield* refusal({ ...goodSession, userId: UserId.make(id(9)) }), "TokenInvalid")
      assert.strictEqual(yield* refusal({ ...goodSession, live: false }), "TokenRevoked")
      assert.strictEqual(yield* refusal({ ...goodSession, userStatus: "disabled" }), "TokenRevoked")
      assert.strictEqual(yield* refusal({ ...goodSession, membership: null }), "OrganizationForbidden")
      const membership = { role: "owner", organizationStatus: "suspended" } as const
      assert.strictEqual(yield* refusal({ ...goodSession, membership }), "OrganizationSuspended")
      assert.strictEqual(
        yield* refusal({ ...goodSession, live: false, membership: null }),
        "TokenRevoked",
        "who may not come in learns nothing of the organization"
      )
    })
  )

  it.effect("refuses a token, and says no more than it must", () =>
    Effect.gen(function* () {
      const refusal = (token_: TokenAccess | null, wanted: OrganizationId | null = organizationId) =>
        tagOf(authorize(token, wanted)).pipe(answering({ token: token_ }))
      assert.strictEqual(yield* refusal(goodToken), "ok")
      assert.strictEqual(yield* refusal(goodToken, null), "ok")
      assert.strictEqual(yield* refusal(null), "TokenInvalid")
      assert.strictEqual(yield* refusal({ ...goodToken, organizationId: other }), "TokenInvalid")
      assert.strictEqual(yield* refusal({ ...goodToken, live: false }), "TokenRevoked")
      assert.strictEqual(yield* refusal(goodToken, other), "OrganizationForbidden")
      assert.strictEqual(yield* refusal({ ...goodToken, organizationStatus: "suspended" }), "OrganizationSuspended")
      assert.strictEqual(
        yield* refusal({ ...goodToken, live: false, organizationStatus: "suspended" }, other),
        "TokenRevoked"
      )
    })
  )
})

layer(TestKit.layer)("what a token may do", (it) => {
  const roles = [null, ...Role.literals]
  const issued: ReadonlyArray<Permission> = ["members.read", "members.manage", "owners.manage"]

  it.effect.each(roles)("is at most the issued permissions within the role %s", (role) =>
    Effect.gen(function* () {
      const asked = authorize(token, organizationId).pipe(
        answering({ token: { ...goodToken, permissions: issued, responsible: { status: "active", role } } })
      )
      if (role === null) {
        const refusal = yield* Effect.flip(asked)
        return assert.strictEqual(refusal._tag === "TokenRevoked" ? refusal.reason : refusal._tag, "responsible_left")
      }
      const { actor } = yield* asked
      const allowed = permissionsOfRole(role)
      assert.deepStrictEqual(
        Array.from(permissionsOf(actor)),
        issued.filter((permission) => allowed.has(permission))
      )
    })
  )

  it.effect.each(roles)("is nothing while the account of a responsible person with the role %s is disabled", (role) =>
    Effect.gen(function* () {
      const refusal = yield* authorize(token, organizationId).pipe(
        answering({ token: { ...goodToken, responsible: { status: "disabled", role } } }),
        Effect.flip
      )
      assert.strictEqual(refusal._tag === "TokenRevoked" ? refusal.reason : refusal._tag, "responsible_disabled")
    })
  )
})

layer(TestKit.layer)("requireOrganization", (it) => {
  it.effect("gives the organization of an admission, and asks for one where there is none", () =>
    Effect.gen(function* () {
      const inside = yield* authorize(session, organizationId).pipe(answering({ session: goodSession }))
      const outside = yield* authorize(session, null).pipe(answering({ session: goodSession }))
      assert.strictEqual(yield* requireOrganization(inside), organizationId)
      assert.strictEqual(yield* tagOf(requireOrganization(outside)), "OrganizationHeaderMissing")
    })
  )
})

layer(TestKit.layer)("onlyOrganization", (it) => {
  it.effect("is the one organization of the user, who must say which when there are several", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      assert.strictEqual(yield* tagOf(resolveOnlyOrganization(person.user.id)), "OrganizationForbidden")
      const first = yield* givenOrganization()
      yield* givenMembership(first, "viewer", person)
      assert.strictEqual(yield* resolveOnlyOrganization(person.user.id), first.id)
      const second = yield* givenOrganization()
      yield* givenMembership(second, "viewer", person)
      assert.strictEqual(yield* tagOf(resolveOnlyOrganization(person.user.id)), "OrganizationHeaderMissing")
    })
  )

  it.effect("excludes suspended organizations and pending invitations", () =>
    Effect.gen(function* () {
      const [own, suspended, inviting] = [
        yield* givenOrganization(),
        yield* givenOrganization(),
        yield* givenOrganization()
      ]
      const person = yield* givenMember(own)
      yield* givenMembership(suspended, "owner", person)
      yield* setOrganizationStatus({ status: "suspended" }).pipe(asOperatorOf(suspended))
      yield* givenInvitation(inviting, person.user.email)
      assert.strictEqual(yield* resolveOnlyOrganization(person.user.id), own.id)
    })
  )
})
