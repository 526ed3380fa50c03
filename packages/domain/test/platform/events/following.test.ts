import { assert, layer } from "@effect/vitest"
import {
  type Actor,
  CurrentOrganization,
  CursorInvalid,
  Cursors,
  type Permission,
  transact
} from "@parley/domain/kernel"
import {
  changeMemberRole,
  EventLog,
  EventListeners,
  type Organization,
  removeMember,
  Sessions,
  setOrganizationStatus,
  setUserStatus
} from "@parley/domain/platform"
import { createAutomation } from "@parley/domain/automation"
import { type FeedBatch, followEvents, listEvents } from "@parley/domain/composition"
import {
  actingIn,
  actorOf,
  asOperatorOf,
  givenInvitation,
  givenMember,
  givenOrganization,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../../tagOf.ts"

const given = givenOrganization({ plan: "scale" })

const act = (organization: Organization, name = "Welcome") =>
  createAutomation({ name }).pipe(asOperatorOf(organization))

const positionsOf = (advances: ReadonlyArray<FeedBatch>) =>
  advances.flatMap(({ data }) => data.map(({ event }) => event.position))

/** Runs all work that waits for no time. */
const settle = Effect.promise(() => new Promise((resolve) => setImmediate(resolve))).pipe(Effect.repeat({ times: 5 }))

/** Advances time in steps that run all due work. */
const pass = (millis: number, step = 250): Effect.Effect<void> =>
  millis <= 0
    ? settle
    : settle.pipe(
        Effect.andThen(TestClock.adjust(Math.min(step, millis))),
        Effect.andThen(Effect.suspend(() => pass(millis - step, step)))
      )

/** Follows in the background, and stores the received events. */
const following = Effect.fnUntraced(function* <R>(
  follow: Effect.Effect<Stream.Stream<FeedBatch>, { readonly _tag: string }, R>
) {
  const seen: Array<FeedBatch> = []
  const stream = yield* Effect.orDie(follow)
  const fiber = yield* Stream.runForEach(stream, (advance) => Effect.sync(() => seen.push(advance))).pipe(
    Effect.forkScoped
  )
  yield* settle
  return { seen, fiber, hasEnded: Effect.sync(() => fiber.pollUnsafe() !== undefined) }
})

const followFrom = (organization: Organization, cursor: string | null) =>
  following(followEvents({ cursor }).pipe(asOperatorOf(organization)))

const start = (organization: Organization) =>
  Effect.map(listEvents({ page: { limit: 100, cursor: null } }), ({ nextCursor }) => nextCursor).pipe(
    asOperatorOf(organization)
  )

/** A member who has signed in. */
const givenActor = Effect.fnUntraced(function* (organization: Organization) {
  const person = yield* givenMember(organization, "admin")
  return { ...person, actor: yield* actorOf(person, organization) }
})

/** A caller who can follow, and sees events for these permissions. */
const delegate = (...permissions: ReadonlyArray<Permission>): Actor => ({
  kind: "delegate",
  for: { kind: "system", id: "test" },
  permissions: new Set<Permission>(["events.read", ...permissions])
})

/** Cursors that take no time at all: the tests count what happens between two ticks of the clock. */
const layerPlainCursors = Layer.succeed(
  Cursors,
  Cursors.of({
    seal: (list, key) => Effect.map(CurrentOrganization, ({ id }) => [id, list, ...key].join("/")),
    open: Effect.fnUntraced(function* (list, cursor) {
      const [id, name, ...key] = cursor.split("/")
      return id === (yield* CurrentOrganization).id && name === list ? key : yield* new CursorInvalid()
    })
  })
)

layer(Layer.merge(TestKit.layer, layerPlainCursors))("followEvents", (it) => {
  it.effect("begins at the end when no cursor is given, and says where that is", () =>
    Effect.gen(function* () {
      const organization = yield* given
      yield* act(organization)
      const { seen } = yield* followFrom(organization, null)
      assert.lengthOf(seen, 1)
      assert.deepStrictEqual(positionsOf(seen), [])
      yield* act(organization)
      yield* pass(100)
      assert.deepStrictEqual(positionsOf(seen), [3])
      const rest = yield* listEvents({ page: { limit: 10, cursor: seen[0]?.nextCursor ?? "" } }).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual(
        rest.data.map(({ event }) => event.position),
        [3]
      )
    })
  )

  it.effect("goes on after a cursor of the pages, through many events and into what happens now", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const cursor = yield* start(organization)
      yield* Effect.forEach(Array.from({ length: 250 }), () => act(organization), { discard: true })
      const { seen } = yield* followFrom(organization, cursor)
      yield* pass(1_000)
      yield* act(organization)
      yield* pass(1_000)
      assert.deepStrictEqual(
        positionsOf(seen),
        Array.from({ length: 251 }, (_, index) => index + 2)
      )
      for (const { data, nextCursor } of seen) {
        assert.isAtMost(data.length, 100)
        if (data.length > 0) assert.strictEqual(data.at(-1)?.cursor, nextCursor)
      }
    })
  )

  it.effect("gives what happens without a clock having to tick", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { seen } = yield* followFrom(organization, null)
      yield* pass(1_000)
      yield* act(organization)
      yield* settle
      assert.deepStrictEqual(positionsOf(seen), [2])
    })
  )

  it.effect("reads a burst together, at most every 50 milliseconds", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { seen } = yield* followFrom(organization, null)
      yield* pass(1_000)
      for (let index = 0; index < 20; index += 1) yield* act(organization)
      yield* pass(60)
      assert.lengthOf(positionsOf(seen), 20)
      assert.isAtMost(seen.length, 4)
    })
  )

  it.effect("finds events without a notification within five seconds", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const deaf = EventListeners.of({
        listen: () => Effect.succeed({ next: Effect.never, takeLive: Effect.succeed([]) }),
        announce: () => Effect.void
      })
      const { seen } = yield* following(
        followEvents({ cursor: null }).pipe(Effect.provideService(EventListeners, deaf), asOperatorOf(organization))
      )
      yield* act(organization)
      yield* pass(4_000)
      assert.deepStrictEqual(positionsOf(seen), [])
      yield* pass(1_500)
      assert.deepStrictEqual(positionsOf(seen), [2])
    })
  )

  it.effect("says every fifteen seconds where it is when it is quiet, past what the actor may not see", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { seen } = yield* following(
        followEvents({ cursor: null }).pipe(actingIn(organization, delegate("members.read")))
      )
      yield* act(organization)
      yield* pass(14_000)
      assert.lengthOf(seen, 1)
      yield* pass(2_000)
      assert.lengthOf(seen, 2)
      assert.deepStrictEqual(positionsOf(seen), [])
      const after = yield* listEvents({ page: { limit: 10, cursor: seen[1]?.nextCursor ?? "" } }).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual(after.data, [])
      yield* givenInvitation(organization, `i@${organization.id}.test`)
      yield* pass(1_000)
      assert.deepStrictEqual(positionsOf(seen), [3])
    })
  )

  it.effect("gives the types that are asked for, and says where it is past the others", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { seen } = yield* following(
        followEvents({ cursor: null, types: ["member.*"] }).pipe(asOperatorOf(organization))
      )
      yield* act(organization)
      yield* pass(16_000)
      assert.deepStrictEqual(positionsOf(seen), [])
      const rest = yield* listEvents({ page: { limit: 10, cursor: seen.at(-1)?.nextCursor ?? "" } }).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual(rest.data, [])
      yield* givenInvitation(organization, `i@${organization.id}.test`)
      yield* pass(1_000)
      assert.deepStrictEqual(positionsOf(seen), [3])
      assert.strictEqual(
        yield* tagOf(followEvents({ cursor: null, types: ["members.*"] })).pipe(asOperatorOf(organization)),
        "ValidationFailed"
      )
    })
  )

  it.effect("does not read the same invisible events again", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const real = yield* EventLog
      const reads: Array<string> = []
      const watched = EventLog.of({
        ...real,
        list: (types, slice) => {
          reads.push(slice.after?.[0] ?? "none")
          return real.list(types, slice)
        }
      })
      yield* following(
        followEvents({ cursor: null }).pipe(
          Effect.provideService(EventLog, watched),
          actingIn(organization, delegate())
        )
      )
      for (let index = 0; index < 3; index += 1) {
        yield* act(organization)
        yield* pass(6_000)
      }
      assert.isAbove(Number(reads.at(-1)), 2)
      const before = reads.length
      yield* pass(60_000)
      assert.strictEqual(reads.length, before)
    })
  )

  it.effect("reads no further than it is asked to", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const cursor = yield* start(organization)
      yield* Effect.forEach(Array.from({ length: 250 }), () => act(organization), { discard: true })
      const stream = yield* followEvents({ cursor }).pipe(asOperatorOf(organization))
      const seen = yield* Stream.runCollect(Stream.take(stream, 1))
      assert.lengthOf(positionsOf(seen), 100)
    })
  )

  it.effect("refuses a cursor of another organization", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* given, yield* given]
      const cursor = yield* start(one)
      assert.strictEqual(yield* tagOf(followEvents({ cursor })).pipe(asOperatorOf(other)), "CursorInvalid")
    })
  )

  it.effect("ends when a session, a membership, a role, an account or the organization does", () =>
    Effect.gen(function* () {
      const ends: Record<string, boolean> = {}
      const check = Effect.fnUntraced(function* <E, R>(
        what: string,
        change: (given: {
          readonly organization: Organization
          readonly person: Effect.Success<ReturnType<typeof givenActor>>
        }) => Effect.Effect<unknown, E, R>
      ) {
        const organization = yield* given
        const person = yield* givenActor(organization)
        const { fiber, hasEnded } = yield* following(
          followEvents({ cursor: null }).pipe(actingIn(organization, person.actor))
        )
        yield* pass(10_000)
        assert.isFalse(yield* hasEnded, what)
        yield* change({ organization, person })
        yield* pass(1_000)
        ends[what] = yield* hasEnded
        yield* Fiber.interrupt(fiber)
      })
      yield* check("session", ({ person: { actor } }) =>
        Effect.gen(function* () {
          if (actor.kind === "user") yield* transact((yield* Sessions).revoke(actor.sessionId, yield* DateTime.now))
        })
      )
      yield* check("membership", ({ organization, person }) =>
        removeMember({ id: person.member.id }).pipe(asOperatorOf(organization))
      )
      yield* check("role", ({ organization, person }) =>
        changeMemberRole({ id: person.member.id, role: "agent", ifVersion: null }).pipe(asOperatorOf(organization))
      )
      yield* check("account", ({ organization, person }) =>
        setUserStatus({ id: person.user.id, status: "disabled" }).pipe(asOperatorOf(organization))
      )
      yield* check("organization", ({ organization }) =>
        setOrganizationStatus({ status: "suspended" }).pipe(asOperatorOf(organization))
      )
      assert.deepStrictEqual(ends, { session: true, membership: true, role: true, account: true, organization: true })
    })
  )

  it.effect("ends after a quarter of an hour at the latest", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { hasEnded } = yield* followFrom(organization, null)
      yield* pass(840_000)
      assert.isFalse(yield* hasEnded)
      yield* pass(62_000)
      assert.isTrue(yield* hasEnded)
    })
  )
})
