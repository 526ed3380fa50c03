import { assert, describe, it } from "@effect/vitest"
import {
  type Actor,
  type ActorRef,
  AutomationTokenId,
  CurrentRequest,
  nextId,
  type OrganizationId,
  toActorRef,
  type UseCaseDeclaration
} from "@parley/domain/kernel"
import { AuditLog, EventLog, platformOrganizationId } from "@parley/domain/platform"
import { eventPermissions } from "@parley/domain/composition"
import { actingIn, asOperatorOf, operator, putPlugin, TestKit } from "@parley/testkit"
import { fixtures, givenWorld, type Trace, type World } from "@parley/testkit/fixtures"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { useCases } from "../../useCases.ts"

const all = { limit: 1000, after: null }

const auditEventsOf = (id: OrganizationId) =>
  Effect.flatMap(AuditLog, (log) =>
    log.list({ actorId: null, targetKind: null, targetId: null, action: null, from: null, to: null }, all)
  ).pipe(asOperatorOf({ id }))

const eventsOf = (id: OrganizationId) =>
  Effect.flatMap(EventLog, (log) => log.list(Object.keys(eventPermissions), all)).pipe(asOperatorOf({ id }))

/** Actor of a call: an operator, a plugin of the organization, or the owner. */
const actorFor = Effect.fnUntraced(function* ({ access }: UseCaseDeclaration, { organization, ownerActor }: World) {
  if (access !== "plugin") return access === "operator" ? operator : ownerActor
  const { id: pluginId, manifest } = yield* putPlugin(organization)
  const tokenId = yield* nextId(AutomationTokenId)
  return { kind: "plugin", pluginId, tokenId, permissions: new Set(manifest.permissions) } satisfies Actor
})

/** Runs the fixture as an operator for operator calls, as a plugin for calls of plugins, else as the owner. Returns its expected and its real trace. */
const trial = Effect.fnUntraced(
  function* (name: string) {
    yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-05-06T07:08:09.123Z")))
    const fixture = fixtures.get(name)
    if (fixture === undefined) {
      return yield* Effect.die(new Error(`Add ${name} to a file in packages/testkit/src/fixtures/<folder>/.`))
    }
    const world = yield* givenWorld
    const actor = yield* actorFor(fixture.declaration, world)
    const { run, secrets } = yield* fixture.prepare({ ...world, caller: actor })
    yield* TestClock.adjust("1 second")
    const at = yield* DateTime.now
    const trace = yield* run.pipe(
      actingIn(world.organization, actor),
      Effect.provideService(CurrentRequest, { id: "req-1" })
    )
    const places = new Set([world.organization.id, platformOrganizationId, trace?.place ?? platformOrganizationId])
    const audited = yield* Effect.forEach(places, (place) =>
      Effect.map(auditEventsOf(place), (events) => events.map((event) => ({ place, event })))
    )
    const logged = yield* Effect.forEach(places, (place) =>
      Effect.map(eventsOf(place), (events) => events.map((event) => ({ place, event })))
    )
    const isNew = ({ event }: { readonly event: { readonly at: DateTime.Utc } }) =>
      DateTime.isGreaterThanOrEqualTo(event.at, at)
    return {
      actor,
      at,
      declaration: fixture.declaration,
      trace,
      secrets,
      world,
      everything: JSON.stringify([audited, logged]),
      audited: audited.flat().filter(isNew),
      logged: logged.flat().filter(isNew)
    }
  },
  (effect) => Effect.provide(effect, TestKit.layer, { local: true })
)

const tracedActor = ({ actor: named }: Trace, actor: Actor): ActorRef => {
  if (named === undefined) return toActorRef(actor)
  return typeof named === "string" ? { kind: "user", id: named } : named
}

/** Use cases that take or return secrets. */
const withSecrets = [
  "automation.rotateTriggerUrl",
  "automation.trigger",
  "chatAccounts.changePin",
  "chatAccounts.connect",
  "chatAccounts.register",
  "chatAccounts.signUp",
  "chatAccounts.update",
  "chatAccounts.verifyCode",
  "chatWebhooks.receive",
  "chatWebhooks.receiveForAccount",
  "chatWebhooks.verify",
  "docsHandoff.exchange",
  "docsHandoff.handOff",
  "identity.acceptInvitation",
  "identity.changePassword",
  "identity.createUser",
  "identity.inviteMember",
  "identity.issueAutomationToken",
  "identity.issueOperatorToken",
  "identity.linkPasswordReset",
  "identity.login",
  "identity.refreshSession",
  "identity.resetPassword",
  "identity.setPasswordByLink",
  "plugins.install",
  "plugins.rotateSecret",
  "storeConnections.complete",
  "storeConnections.receiveCallback",
  "webhookSubscriptions.create",
  "webhookSubscriptions.rotateSecret"
]

const names = useCases.map(({ declaration }) => declaration.name)

describe("the audit trail", () => {
  it.effect.each(names)("%s: records actor, change, time and request once", (name) =>
    Effect.gen(function* () {
      const { actor, at, audited, declaration, trace, world } = yield* trial(name)
      if (trace === null || trace.target === null) return assert.deepStrictEqual(audited, [])
      assert.deepStrictEqual(
        audited.map(({ event: { action, actor, after, at, before, requestId, target }, place }) => ({
          place,
          actor,
          action,
          target,
          before,
          after,
          requestId,
          at: DateTime.formatIso(at)
        })),
        [
          {
            place: trace.place ?? world.organization.id,
            actor: tracedActor(trace, actor),
            action: declaration.audit ?? "",
            target: trace.target,
            before: trace.before,
            after: trace.after,
            requestId: "req-1",
            at: DateTime.formatIso(at)
          }
        ]
      )
    })
  )

  it.effect.each(useCases.map(({ declaration }) => declaration))(
    "$name: its declaration lists its trail",
    (declaration) =>
      Effect.map(trial(declaration.name), ({ audited, logged }) =>
        assert.deepStrictEqual(
          { audit: declaration.audit === undefined ? [] : [declaration.audit], emits: declaration.emits ?? [] },
          { audit: audited.map(({ event }) => event.action), emits: logged.map(({ event: { event } }) => event.type) }
        )
      )
  )

  it.effect.each(names)("%s: writes no secret into it, nor into the events", (name) =>
    Effect.gen(function* () {
      const { everything, secrets } = yield* trial(name)
      for (const secret of secrets) assert.notInclude(everything, secret)
    })
  )

  it.effect("has a test with secrets for every use case with secrets", () =>
    Effect.gen(function* () {
      const rows = yield* Effect.forEach(names, (name) => Effect.map(trial(name), ({ secrets }) => ({ name, secrets })))
      assert.deepStrictEqual(
        rows.filter(({ secrets }) => secrets.length > 0).map(({ name }) => name),
        withSecrets
      )
    })
  )
})

describe("the events", () => {
  it.effect.each(names)("%s: tell what happened, in the organization it happened to", (name) =>
    Effect.gen(function* () {
      const { actor, logged, trace, world } = yield* trial(name)
      const expected =
        trace?.event === undefined || trace.event === null
          ? []
          : [
              {
                place: trace.place ?? world.organization.id,
                actor: tracedActor(trace, actor),
                event: trace.event
              }
            ]
      assert.deepStrictEqual(
        logged.map(({ event: { actor, event }, place }): unknown => ({ place, actor, event })),
        expected
      )
    })
  )
})
