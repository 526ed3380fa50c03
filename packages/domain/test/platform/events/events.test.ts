import { assert, describe, it, layer } from "@effect/vitest"
import { type Actor, AutomationTokenId, type Permission, Role, UserId } from "@parley/domain/kernel"
import { EventLog, type Organization, permissionsOfRole } from "@parley/domain/platform"
import { createAutomation } from "@parley/domain/automation"
import { DomainEvent, eventPermissions, listEvents, visibleTypes } from "@parley/domain/composition"
import {
  actingIn,
  asAgentOf,
  asOperatorOf,
  asOwnerOf,
  givenInvitation,
  givenOrganization,
  operator,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { tagOf } from "../../tagOf.ts"

const id = "01990000-0000-7000-8000-000000000001"

const tokenWith = (...permissions: ReadonlyArray<Permission>): Actor => ({
  kind: "token",
  tokenId: AutomationTokenId.make(id),
  responsibleUserId: UserId.make(id),
  permissions: new Set(permissions)
})

const all = DomainEvent.members.map((member) => member.fields.type.literal)

const typesOf = (resource: string, ...actions: ReadonlyArray<string>) =>
  actions.map((action) => `${resource}.${action}`)

/** Event types that viewers and agents do not see. */
const hiddenFromAgents = [
  ...typesOf("automation_token", "adopted", "issued", "revoked"),
  ...typesOf("plugin", "disabled", "enabled", "failed", "installed", "uninstalled", "updated", "upgraded"),
  ...typesOf("privacy_request", "done", "due", "received"),
  ...typesOf(
    "webhook_subscription",
    "created",
    "deleted",
    "disabled",
    "enabled",
    "failing",
    "secret_rotated",
    "updated"
  )
]

const hiddenFrom: Readonly<Record<Role, ReadonlyArray<string>>> = {
  viewer: hiddenFromAgents,
  agent: hiddenFromAgents,
  admin: [],
  owner: []
}

const seenBy = (organization: Organization, actor: Actor) =>
  Effect.map(listEvents({ page: { limit: 100, cursor: null } }), ({ data }) =>
    data.map(({ event }) => event.event.type)
  ).pipe(actingIn(organization, actor))

/** An organization with an event of each kind of permission. */
const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "growth" })
  yield* givenInvitation(organization, `i@${organization.id}.test`)
  yield* createAutomation({ name: "Welcome" }).pipe(asOperatorOf(organization))
  return organization
})

describe("the visibility of events", () => {
  it("is said of every type", () => {
    assert.sameMembers(Object.keys(eventPermissions), all)
  })

  it("is nothing without a permission, and all for operators", () => {
    assert.deepStrictEqual(visibleTypes(tokenWith()), [])
    assert.deepStrictEqual(visibleTypes(tokenWith("events.read")), [])
    assert.sameMembers(Array.from(visibleTypes(operator)), all)
  })

  it.each(Role.literals)("for the role %s covers all types except the hidden ones", (role) => {
    const seen = visibleTypes(tokenWith(...permissionsOfRole(role)))
    const hidden = all.filter((type) => !seen.includes(type))
    assert.deepStrictEqual(hidden.toSorted(), hiddenFrom[role].toSorted())
  })
})

layer(TestKit.layer)("listEvents", (it) => {
  it.effect("gives oldest first what the actor may see", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const seen = (...permissions: ReadonlyArray<Permission>) =>
        seenBy(organization, tokenWith("events.read", ...permissions))
      assert.deepStrictEqual(yield* seenBy(organization, operator), [
        "organization.created",
        "member.invited",
        "automation.created"
      ])
      assert.deepStrictEqual(yield* seen("organization.read"), ["organization.created"])
      assert.deepStrictEqual(yield* seen("members.read"), ["member.invited"])
      assert.deepStrictEqual(yield* seen("automations.read", "organization.read"), [
        "organization.created",
        "automation.created"
      ])
    })
  )

  it.effect("lists visible events of the requested types, by name or prefix", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const seen = (actor: Actor, ...types: ReadonlyArray<string>) =>
        Effect.map(listEvents({ types, page: { limit: 100, cursor: null } }), ({ data }) =>
          data.map(({ event }) => event.event.type)
        ).pipe(actingIn(organization, actor))
      assert.deepStrictEqual(yield* seen(operator, "member.invited"), ["member.invited"])
      assert.deepStrictEqual(yield* seen(operator, "automation.*", "organization.created"), [
        "organization.created",
        "automation.created"
      ])
      assert.deepStrictEqual(yield* seen(operator, "contact.*"), [])
      assert.deepStrictEqual(yield* seen(tokenWith("events.read", "members.read"), "automation.*", "member.*"), [
        "member.invited"
      ])
      const error = yield* Effect.flip(
        listEvents({ types: ["member.*", "member", "members.*", "member.eaten"], page: { limit: 1, cursor: null } })
      ).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(error._tag === "ValidationFailed" ? error.errors.map(({ pointer }) => pointer) : error, [
        "/type/1",
        "/type/2",
        "/type/3"
      ])
    })
  )

  it.effect("returns a cursor behind the searched events for all types and results", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const read = (types: ReadonlyArray<string>, cursor: string | null, limit = 100) =>
        Effect.map(listEvents({ types, page: { limit, cursor } }), ({ data, nextCursor }) => ({
          nextCursor,
          positions: data.map(({ event }) => event.position)
        })).pipe(asOperatorOf(organization))
      const none = yield* read(["contact.*"], null)
      assert.isEmpty(none.positions)
      const one = yield* read(["organization.*"], null)
      assert.deepStrictEqual(one.positions, [1])
      for (const { nextCursor } of [none, one]) {
        const rest = yield* Effect.map(
          listEvents({ page: { limit: 10, cursor: nextCursor } }),
          ({ data }) => data
        ).pipe(asOperatorOf(organization))
        assert.isEmpty(rest)
      }
      const full = yield* read(["organization.*", "automation.*"], null, 1)
      assert.deepStrictEqual((yield* read(["member.*", "automation.*"], full.nextCursor)).positions, [2, 3])
      yield* createAutomation({ name: "Second" }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual((yield* read(["automation.*"], none.nextCursor)).positions, [4])
    })
  )

  it.effect("gives nothing to who may read events and none of their subjects", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* seenBy(yield* given, tokenWith("events.read")), [])
    })
  )

  it.effect("gives nothing of another organization", () =>
    Effect.gen(function* () {
      yield* given
      const other = yield* givenOrganization()
      assert.deepStrictEqual(yield* seenBy(other, operator), ["organization.created"])
    })
  )

  it.effect("returns a cursor at the end that continues with later events", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const read = (cursor: string | null, limit = 100) =>
        listEvents({ page: { limit, cursor } }).pipe(asOperatorOf(organization))
      const first = yield* read(null)
      const nothing = yield* read(first.nextCursor)
      assert.deepStrictEqual(nothing.data, [])
      yield* createAutomation({ name: "Second" }).pipe(asOperatorOf(organization))
      const later = yield* read(nothing.nextCursor)
      assert.deepStrictEqual(
        later.data.map(({ event }) => event.position),
        [4]
      )
    })
  )

  it.effect("can begin before anything happened that the actor may see", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const actor = tokenWith("events.read", "automations.read")
      const read = (cursor: string | null) =>
        listEvents({ page: { limit: 10, cursor } }).pipe(actingIn(organization, actor))
      const { nextCursor } = yield* read(null)
      yield* createAutomation({ name: "Welcome" }).pipe(asOperatorOf(organization))
      assert.lengthOf((yield* read(nextCursor)).data, 1)
    })
  )

  it.effect("gives with each event the cursor to go on after it", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const read = (cursor: string | null) =>
        listEvents({ page: { limit: 100, cursor } }).pipe(asOperatorOf(organization))
      const { data } = yield* read(null)
      for (const [index, { cursor }] of data.entries()) {
        assert.deepStrictEqual(
          (yield* read(cursor)).data.map(({ event }) => event.position),
          data.slice(index + 1).map(({ event }) => event.position)
        )
      }
    })
  )

  it.effect("refuses a cursor of another organization", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* given, yield* given]
      const { nextCursor } = yield* listEvents({ page: { limit: 1, cursor: null } }).pipe(asAgentOf(one))
      const read = tagOf(listEvents({ page: { limit: 1, cursor: nextCursor } }))
      assert.strictEqual(yield* read.pipe(asAgentOf(other)), "CursorInvalid")
      assert.strictEqual(yield* read.pipe(asAgentOf(one)), "ok")
    })
  )

  it.effect("of a use case that fails there is no event", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "free" })
      yield* Effect.flip(createAutomation({ name: "Welcome" }).pipe(asOwnerOf(organization)))
      const log = yield* EventLog
      const logged = yield* log.list(all, { limit: 100, after: null }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        logged.map(({ event }) => event.type),
        ["organization.created", "member.joined"]
      )
    })
  )
})
