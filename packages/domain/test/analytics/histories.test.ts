import { env } from "node:process"
import { assert, describe, it } from "@effect/vitest"
import {
  EventLog,
  consumeLog,
  EventConsumerDirectory,
  EventConsumers,
  updateOrganization
} from "@parley/domain/platform"
import {
  type ContactId,
  type ContactMergeId,
  deleteContact,
  eraseContact,
  mergeContacts,
  unmergeContacts,
  updateContact
} from "@parley/domain/crm"
import { reopenConversation, resolveConversation } from "@parley/domain/messaging"
import {
  RollupStore,
  checkAnalytics,
  countedLevels,
  countingEventConsumer,
  rebuildAnalytics,
  wholeOrganization
} from "@parley/domain/analytics"
import { layerEventConsumers, rewindEventConsumer } from "@parley/domain/composition"
import {
  applyReportedEvents,
  asOperatorOf,
  givenContact,
  givenNumber,
  givenOrganization,
  TestKit,
  type ReportedEvent
} from "@parley/testkit"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { activeOf, everythingIn, type Found, levelsOf, type Line, scanned, type Talk } from "./scan.ts"

/** Number of histories. The environment can raise it. */
const runs = Number(env["PARLEY_ANALYTICS_HISTORIES"] ?? 25)

const zones = ["UTC", "Europe/Berlin", "Asia/Kolkata", "Pacific/Auckland", "Africa/Cairo", "America/Havana"] as const

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const person = upTo(1)
const message = upTo(3)
/** Age of the event in minutes, up to three days. */
const ago = upTo(4_320)

/** An event of a history, in any order. */
const Step = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("wrote"), person, message, ago }),
  Schema.Struct({ kind: Schema.Literal("answered"), person, message, ago }),
  Schema.Struct({
    kind: Schema.Literal("receipt"),
    message,
    status: Schema.Literals(["sent", "delivered", "read", "failed"]),
    ago
  }),
  Schema.Struct({ kind: Schema.Literal("waited"), minutes: upTo(900) }),
  Schema.Struct({ kind: Schema.Literal("counted") }),
  Schema.Struct({ kind: Schema.Literal("counted_again") }),
  Schema.Struct({ kind: Schema.Literal("rebuilt") }),
  Schema.Struct({ kind: Schema.Literal("moved"), zone: Schema.Literals(zones) }),
  Schema.Struct({ kind: Schema.Literal("added") }),
  Schema.Struct({ kind: Schema.Literal("resolved"), person }),
  Schema.Struct({ kind: Schema.Literal("blocked"), person }),
  Schema.Struct({ kind: Schema.Literal("merged") }),
  Schema.Struct({ kind: Schema.Literal("unmerged") }),
  Schema.Struct({ kind: Schema.Literal("reopened"), person }),
  Schema.Struct({ kind: Schema.Literal("erased"), person })
])

const History = Schema.Array(Step).check(Schema.isBetweenLength(20, 60))

const levels: ReadonlySet<string> = new Set(countedLevels)

const phoneOf = (who: number) => `+4930555000${who}`

describe("counted figures", () => {
  it.effect.prop(
    "equal a full scan for every history, order, repetition and delay",
    { history: History },
    ({ history }) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-03-28T20:00:00Z")))
        const organization = yield* givenOrganization({ timezone: "Europe/Berlin" })
        const within = asOperatorOf(organization)
        const number = yield* givenNumber(organization)
        yield* (yield* EventConsumerDirectory).add([countingEventConsumer.name], yield* DateTime.now)
        const gone: Array<Line> = []
        const goneTalks: Array<Talk> = []
        const goneActive: Array<Found> = []
        const logged = within(Effect.flatMap(EventLog, (events) => events.list("all", { limit: 10_000, after: null })))
        const merges: Array<{ readonly id: ContactId; readonly mergeId: ContactMergeId }> = []

        const result = (event: ReportedEvent) => within(applyReportedEvents([event]))
        const follow = Effect.gen(function* () {
          const consumer = (yield* EventConsumers).get(countingEventConsumer.name)
          assert.isDefined(consumer)
          if (consumer !== undefined) yield* Effect.repeat(consumeLog(consumer), { while: (again) => again !== null })
        }).pipe(Effect.provide(layerEventConsumers), within)

        const step = Effect.fnUntraced(function* (each: typeof Step.Type) {
          const now = yield* DateTime.now
          const at = "ago" in each ? DateTime.subtract(now, { minutes: each.ago }) : now
          const common = { phoneId: number.externalPhoneId, at }
          switch (each.kind) {
            case "wrote":
              return yield* result({
                ...common,
                kind: "message",
                id: `in-${each.message}`,
                from: { phone: phoneOf(each.person), chatUser: null, name: null },
                content: each.message % 3 === 0 ? { kind: "unsupported", type: "poll" } : { kind: "text", text: "Hi" },
                replyTo: null,
                fromAdvertisement: false
              })
            case "answered":
              return yield* result({
                ...common,
                kind: "echo",
                id: `out-${each.message}`,
                to: { phone: phoneOf(each.person), chatUser: null },
                content: { kind: "text", text: "Hello" },
                replyTo: null
              })
            case "receipt":
              return yield* result({
                ...common,
                kind: "receipt",
                id: `out-${each.message}`,
                status: each.status,
                to: { phone: phoneOf(0), chatUser: null },
                reference: null,
                error: each.status === "failed" ? { code: 131_000, reason: "No.", remedy: "skip_recipient" } : null
              })
            case "waited":
              return yield* TestClock.adjust(each.minutes * 60_000)
            case "counted":
              return yield* follow
            case "counted_again":
              yield* follow
              yield* within(rewindEventConsumer({ name: countingEventConsumer.name, to: 0 }))
              return yield* follow
            case "rebuilt":
              yield* follow
              return yield* within(rebuildAnalytics())
            case "moved":
              return yield* within(updateOrganization({ timezone: each.zone, ifVersion: null }))
            case "added":
              return yield* givenContact(organization)
            case "blocked": {
              const { contacts } = yield* within(everythingIn)
              const contact = contacts.find(({ phone }) => phone === phoneOf(each.person))
              if (contact === undefined) return
              return yield* within(
                updateContact({ id: contact.id, blocked: contact.blockedAt === null, ifVersion: null })
              )
            }
            case "merged": {
              const { contacts } = yield* within(everythingIn)
              const [one, other] = contacts
              if (one === undefined || other === undefined) return
              merges.push({
                ...(yield* within(mergeContacts({ id: one.id, contactId: other.id, ifVersion: null }))),
                id: one.id
              })
              return
            }
            case "unmerged": {
              const merge = merges.pop()
              return (
                merge &&
                (yield* within(
                  Effect.ignore(unmergeContacts({ id: merge.id, mergeId: merge.mergeId, ifVersion: null }))
                ))
              )
            }
            case "resolved":
            case "reopened": {
              const { contacts, talks } = yield* within(everythingIn)
              const contact = contacts.find(({ phone }) => phone === phoneOf(each.person))
              const talk = talks.findLast(({ contactId }) => contactId === contact?.id)
              if (talk === undefined) return
              const { id } = talk.conversation
              return yield* within(
                Effect.ignore(each.kind === "resolved" ? resolveConversation({ id }) : reopenConversation({ id }))
              )
            }
            case "erased": {
              const { contacts, lines, talks, timezone } = yield* within(everythingIn)
              const contact = contacts.find(({ phone }) => phone === phoneOf(each.person))
              if (contact === undefined) return
              const zone =
                (yield* within(Effect.flatMap(RollupStore, (rollups) => rollups.find())))?.timezone ?? timezone
              const own = lines.filter((line) => line.contactId === contact.id)
              goneActive.push(...activeOf(own, yield* logged, zone))
              gone.push(...lines.filter((line) => line.contactId === contact.id))
              goneTalks.push(...talks.filter((talk) => talk.contactId === contact.id))
              return yield* within(
                each.person === 0
                  ? deleteContact({ id: contact.id, ifVersion: null })
                  : eraseContact({ id: contact.id, ifVersion: null })
              )
            }
          }
        })

        yield* Effect.forEach(history, step, { discard: true })
        yield* follow
        const { lines, talks, timezone } = yield* within(everythingIn)
        const log = yield* logged
        const active = [...activeOf(lines, log, timezone), ...goneActive]
        const expected = scanned([...lines, ...gone], [...talks, ...goneTalks], active, log, timezone)
        const counted = yield* within(
          Effect.gen(function* () {
            const rollups = yield* RollupStore
            const state = yield* rollups.find()
            const days =
              state === null ? [] : yield* rollups.days(state.version, wholeOrganization, "2020-01-01", "2030-01-01")
            const level = (figure: string) =>
              days.reduce((sum, each) => (each.figure === figure ? sum + each.amount : sum), 0)
            assert.deepStrictEqual(
              { open: level("conversations.open"), waiting: level("conversations.waiting") },
              levelsOf(talks)
            )
            return days
              .filter(({ figure }) => !levels.has(figure))
              .map(({ amount, date, figure, step }) => `${date} ${figure} ${step} ${amount}`)
              .toSorted()
          })
        )
        assert.deepStrictEqual(counted, expected)
        assert.isEmpty((yield* within(checkAnalytics())).differences)
        assert.isEmpty((yield* within(rebuildAnalytics())).differences)
      }).pipe(Effect.provide(TestKit.layer)),
    { arbitrary: { runs, seed: "histories" }, timeout: 600_000 }
  )
})
