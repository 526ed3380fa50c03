import { assert, describe, layer } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, type OrganizationId, transact } from "@parley/domain/kernel"
import {
  AuditEvent,
  Organization,
  ParkedEventView,
  EventConsumersView,
  EventConsumerDirectory,
  EventConsumerName,
  EventCursor,
  EventCursors
} from "@parley/domain/platform"
import { DateTime, Effect, Schema } from "effect"
import { asService } from "./support/asService.ts"
import { commandLine, type Environment, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

const tags = EventConsumerName.make("crm.clear_tags")
const gone = EventConsumerName.make("crm.gone")

const Cursor = Schema.Struct(EventCursor.fields)

/** Parks the first event of the organization for an event consumer. */
const parkFirst = (environment: Environment, id: OrganizationId, name: EventConsumerName) =>
  asService(
    environment,
    Effect.gen(function* () {
      const cursors = yield* EventCursors
      const now = yield* DateTime.now
      yield* (yield* EventConsumerDirectory).add([name], now)
      const failed = { after: 0, position: 1, attempts: 8, reason: "It is broken." }
      yield* transact(Effect.andThen(cursors.begin(name, null), cursors.park(name, failed, now))).pipe(
        Effect.provideService(CurrentOrganization, { id }),
        Effect.provideService(CurrentActor, { kind: "system", name })
      )
    })
  )

describe("the commands about event consumers, on a server", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("show, replay, skip, rewind and forget events that cannot be handled", () =>
      Effect.gen(function* () {
        const environment = yield* OnServer
        const { parley } = commandLine(environment)
        const organization = yield* printed(Organization, yield* parley("orgs", "create", "Parked", "--json"))
        const empty = yield* parley("consumers", "parked")
        assert.deepStrictEqual([empty.code, empty.err], [0, "No event is parked."])
        yield* parkFirst(environment, organization.id, tags)
        yield* parkFirst(environment, organization.id, gone)

        const shown = yield* printed(EventConsumersView, yield* parley("consumers", "list", "--json"))
        assert.deepStrictEqual(
          shown.consumers.filter(({ parked }) => parked > 0).map(({ isDeclared, name }) => [name, isDeclared]),
          [
            [tags, true],
            [gone, false]
          ]
        )
        const listed = yield* parley("consumers", "list")
        assert.match(listed.out, /^CONSUMER +BEHIND IN +LAG +FAILING IN +PARKED$/m)
        assert.match(listed.out, /^crm\.gone +0 +0 +1 +removed from the code$/m)

        const parked = ["consumers", "parked", tags] as const
        assert.match(
          (yield* parley(...parked)).out,
          /^parked +crm\.clear_tags +1 +organization\.created +8 .*It is broken\.$/m
        )
        assert.match(
          (yield* parley("consumers", "parked", "crm.nobody")).err,
          /The event consumer crm\.nobody does not exist/
        )

        const one = yield* parley("consumers", "replay", tags, "--org", "parked", "--position", "1")
        assert.match(one.out, /: 1\.$/)
        assert.strictEqual((yield* parley("consumers", "replay", tags, "--position", "1")).code, 2)
        assert.match((yield* parley("consumers", "replay", tags)).out, /: 1\.$/)
        const replayed = yield* printed(Schema.Array(ParkedEventView), yield* parley(...parked, "--json"))
        assert.deepStrictEqual(
          replayed.map(({ isReplayed, organization, position }) => [organization, position, isReplayed]),
          [["parked", 1, true]]
        )

        const skip = ["consumers", "skip", tags, "1", "--org", "parked"] as const
        assert.strictEqual((yield* parley(...skip)).code, 2)
        assert.strictEqual((yield* parley(...skip, "--yes")).out, "crm.clear_tags skips the event 1.")
        assert.strictEqual((yield* parley(...skip, "--yes")).code, 1)
        assert.strictEqual((yield* parley(...parked, "--json")).out, "[]")

        const rewind = ["consumers", "rewind", tags, "--org", "parked", "--to"] as const
        assert.strictEqual((yield* parley(...rewind, "0")).code, 2)
        assert.match((yield* parley(...rewind, "99", "--yes")).err, /only be moved back/)
        const cursor = yield* printed(Cursor, yield* parley(...rewind, "0", "--yes", "--json"))
        assert.deepInclude(cursor, { consumer: tags, position: 0, parked: 0 })

        assert.match((yield* parley("consumers", "forget", tags, "--yes")).err, /still in the code/)
        assert.strictEqual((yield* parley("consumers", "forget", gone)).code, 2)
        assert.strictEqual((yield* parley("consumers", "forget", gone, "--yes")).out, "crm.gone is forgotten.")
        assert.notInclude((yield* parley("consumers", "list")).out, "crm.gone")

        const trail = yield* printed(
          Schema.Array(AuditEvent),
          yield* parley("audit", "list", "--org", "parked", "--json")
        )
        assert.deepStrictEqual(trail.map(({ action, target }) => [action, target.id]).slice(0, 4), [
          ["consumer.rewound", tags],
          ["consumer.parked_skipped", tags],
          ["consumer.parked_replayed", tags],
          ["consumer.parked_replayed", tags]
        ])
        assert.match((yield* parley("audit", "list")).out, /consumer\.forgotten/)
      })
    )
  })
})
