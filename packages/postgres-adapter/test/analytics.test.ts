import { env } from "node:process"
import { assert, describe, it } from "@effect/vitest"
import { consumeLog, EventConsumerDirectory, EventConsumers, updateOrganization } from "@parley/domain/platform"
import { deleteContact, mergeContacts, updateContact } from "@parley/domain/crm"
import {
  RollupStore,
  checkAnalytics,
  countingEventConsumer,
  rebuildAnalytics,
  wholeOrganization
} from "@parley/domain/analytics"
import { layerEventConsumers } from "@parley/domain/composition"
import {
  applyReportedEvents,
  asOperatorOf,
  givenContact,
  givenNumber,
  givenOrganization,
  type ReportedEvent
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { givenNodes, onAll } from "./support/nodes.ts"

const slow = 600_000

const people = 12

/** Number of incoming messages, and number of messages that the business writes elsewhere; configurable to a higher value. */
const result = Number(env["PARLEY_ANALYTICS_MESSAGES"] ?? 80)

const phoneOf = (person: number) => `+49170123${4_500 + person}`

const follow = Effect.gen(function* () {
  const consumer = (yield* EventConsumers).get(countingEventConsumer.name) ?? assert.fail()
  return yield* consumeLog(consumer)
}).pipe(Effect.provide(layerEventConsumers))

const followAll = Effect.repeat(follow, { while: (again) => again !== null })

describe("counting on two processes", () => {
  it.live(
    "equals a rebuild while contacts write, merge, are blocked and deleted, also during a rebuild",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2, 20)
        const [first = assert.fail()] = nodes
        const { contacts, number, organization } = yield* Effect.gen(function* () {
          const organization = yield* givenOrganization({ plan: "scale" })
          yield* (yield* EventConsumerDirectory).add([countingEventConsumer.name], yield* DateTime.now)
          const contacts = yield* Effect.forEach(
            Array.from({ length: people }, (_, person) => person),
            (person) => givenContact(organization, { phone: phoneOf(person) })
          )
          return { organization, contacts, number: yield* givenNumber(organization) }
        }).pipe(Effect.provide(first))
        const now = yield* DateTime.now
        const within = asOperatorOf(organization)
        const event = (n: number): ReportedEvent => {
          const common = { phoneId: number.externalPhoneId, at: DateTime.subtract(now, { minutes: (n * 37) % 5_000 }) }
          const person = { phone: phoneOf(n % people), chatUser: null }
          const content = { kind: "text", text: "Hello" } as const
          return n < result
            ? {
                ...common,
                kind: "message",
                id: `wamid.${n}`,
                from: { ...person, name: null },
                content,
                replyTo: null,
                fromAdvertisement: false
              }
            : { ...common, kind: "echo", id: `wamid.${n}`, to: person, content, replyTo: null }
        }
        const team = (n: number) => {
          const { id } = contacts[n % people] ?? assert.fail()
          const other = contacts[(n + 1) % people] ?? assert.fail()
          return Effect.gen(function* () {
            switch (n % 5) {
              case 0:
                return yield* mergeContacts({ id, contactId: other.id, ifVersion: null })
              case 1:
                return yield* updateContact({ id, blocked: n % 2 === 0, ifVersion: null })
              case 2:
                return n > 15 ? yield* deleteContact({ id, ifVersion: null }) : undefined
              case 3:
                return yield* checkAnalytics()
              default:
                return yield* rebuildAnalytics()
            }
          })
        }
        const results = yield* onAll(
          nodes,
          2 * result + 60,
          Effect.fnUntraced(function* (n) {
            if (n < 2 * result) {
              return yield* Effect.exit(
                within(applyReportedEvents([event(n)]).pipe(Effect.sandbox, Effect.retry({ times: 20 })))
              )
            }
            const place = n - 2 * result
            return place < 20
              ? yield* Effect.exit(within(Effect.ignore(team(place))))
              : yield* Effect.exit(within(Effect.asVoid(follow)))
          })
        )
        assert.deepStrictEqual(
          results.filter(({ _tag }) => _tag === "Failure"),
          []
        )
        yield* Effect.gen(function* () {
          yield* followAll
          assert.isEmpty((yield* checkAnalytics()).differences)
          yield* updateOrganization({ timezone: "Asia/Kathmandu", ifVersion: null })
          yield* followAll
          assert.isEmpty((yield* rebuildAnalytics()).differences)
          const rollups = yield* RollupStore
          const { version } = (yield* rollups.find()) ?? assert.fail()
          const days = yield* rollups.days(version, wholeOrganization, "2000-01-01", "2100-01-01")
          const sumOf = (figure: string) =>
            days.reduce((sum, each) => (each.figure === figure ? sum + each.amount : sum), 0)
          const sql = yield* SqlClient.SqlClient
          const [there] = yield* sql<{ readonly open: bigint; readonly waiting: bigint; readonly deadlocks: string }>`
            SELECT count(*) FILTER (WHERE status = 'open') AS open,
              count(*) FILTER (WHERE waiting_since IS NOT NULL) AS waiting,
              (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()) AS deadlocks
            FROM conversations WHERE organization_id = ${organization.id}`
          assert.deepStrictEqual(
            [sumOf("conversations.open"), sumOf("conversations.waiting"), Number(there?.deadlocks)],
            [Number(there?.open), Number(there?.waiting), 0]
          )
          assert.isAtLeast(sumOf("messages.outbound.byAuthor.phone_app"), result)
        }).pipe(within, Effect.provide(first))
      }),
    slow
  )
})
