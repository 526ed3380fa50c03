import { assert, describe, layer } from "@effect/vitest"
import {
  AuditEvent,
  CurrentActor,
  CurrentOrganization,
  Organization,
  type OrganizationId,
  ParkedEventView,
  EventConsumersView,
  EventConsumerDirectory,
  EventConsumerName,
  EventCursor,
  EventCursors,
  transact
} from "@parley/domain"
import { DateTime, Effect, Schema } from "effect"
import { asService } from "./support/asService.ts"
import { commandLine, type Environment, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

const tags = EventConsumerName.make("crm.clear_tags")
const gone = EventConsumerName.make("crm.gone")

/** Has a subscriber park the first event of the organization. */
const parkFirst = (environment: Environment, id: OrganizationId, name: EventConsumerName) =>
  asService(
    environment,
    Effect.gen(function* () {
      const subscriptions = yield* EventCursors
      const now = yield* DateTime.now
      yield* (yield* EventConsumerDirectory).add([name], now)
      const failed = { after: 0, position: 1, attempts: 8, reason: "It is broken." }
      yield* transact(Effect.andThen(subscriptions.begin(name, null), subscriptions.park(name, failed, now))).pipe(
        Effect.provideService(CurrentOrganization, { id }),
        Effect.provideService(CurrentActor, { kind: "system", name })
      )
    })
  )

describe("the commands about subscribers, on a server", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("show what cannot be handled, and have it replayed, skipped, handled again or forgotten", () =>
      Effect.gen(function* () {
        const environment = yield* OnServer
        const { parley } = commandLine(environment)
        const organization = yield* printed(Organization, yield* parley("org", "create", "Parked", "--json"))
        const empty = yield* parley("subscribers", "parked")
        assert.deepStrictEqual([empty.code, empty.err], [0, "Nothing is parked."])
        yield* parkFirst(environment, organization.id, tags)
        yield* parkFirst(environment, organization.id, gone)

        const shown = yield* printed(EventConsumersView, yield* parley("subscribers", "list", "--json"))
        assert.deepStrictEqual(
          shown.subscribers.filter(({ parked }) => parked > 0).map(({ isDeclared, name }) => [name, isDeclared]),
          [
            [tags, true],
            [gone, false]
          ]
        )
        const listed = yield* parley("subscribers", "list")
        assert.match(listed.out, /^SUBSCRIBER +BEHIND IN +LAG +FAILING IN +PARKED$/m)
        assert.match(listed.out, /^crm\.gone +0 +0 +1 +gone from the code$/m)

        const parked = ["subscribers", "parked", tags] as const
        assert.match(
          (yield* parley(...parked)).out,
          /^parked +crm\.clear_tags +1 +organization\.created +8 .*It is broken\.$/m
        )
        assert.match((yield* parley("subscribers", "parked", "crm.nobody")).err, /There is no subscriber crm\.nobody/)

        const one = yield* parley("subscribers", "replay", tags, "--org", "parked", "--position", "1")
        assert.match(one.out, /: 1\.$/)
        assert.strictEqual((yield* parley("subscribers", "replay", tags, "--position", "1")).code, 2)
        assert.match((yield* parley("subscribers", "replay", tags)).out, /: 1\.$/)
        const replayed = yield* printed(Schema.Array(ParkedEventView), yield* parley(...parked, "--json"))
        assert.deepStrictEqual(
          replayed.map(({ isReplayed, organization, position }) => [organization, position, isReplayed]),
          [["parked", 1, true]]
        )

        const skip = ["subscribers", "skip", tags, "1", "--org", "parked"] as const
        assert.strictEqual((yield* parley(...skip)).code, 2)
        assert.strictEqual((yield* parley(...skip, "--yes")).out, "crm.clear_tags skips the event 1.")
        assert.strictEqual((yield* parley(...skip, "--yes")).code, 1)
        assert.strictEqual((yield* parley(...parked, "--json")).out, "[]")

        const rewind = ["subscribers", "rewind", tags, "--org", "parked", "--to"] as const
        assert.strictEqual((yield* parley(...rewind, "0")).code, 2)
        assert.match((yield* parley(...rewind, "99", "--yes")).err, /set back, not forward/)
        const subscription = yield* printed(EventCursor, yield* parley(...rewind, "0", "--yes", "--json"))
        assert.deepInclude(subscription, { subscriber: tags, position: 0, parked: 0 })

        assert.match((yield* parley("subscribers", "forget", tags, "--yes")).err, /still in the code/)
        assert.strictEqual((yield* parley("subscribers", "forget", gone)).code, 2)
        assert.strictEqual((yield* parley("subscribers", "forget", gone, "--yes")).out, "crm.gone is forgotten.")
        assert.notInclude((yield* parley("subscribers", "list")).out, "crm.gone")

        const trail = yield* printed(
          Schema.Array(AuditEvent),
          yield* parley("audit", "list", "--org", "parked", "--json")
        )
        assert.deepStrictEqual(trail.map(({ action, target }) => [action, target.id]).slice(0, 4), [
          ["subscriber.rewound", tags],
          ["subscriber.parked_skipped", tags],
          ["subscriber.parked_replayed", tags],
          ["subscriber.parked_replayed", tags]
        ])
        assert.match((yield* parley("audit", "list")).out, /subscriber\.forgotten/)
      })
    )
  })
})
