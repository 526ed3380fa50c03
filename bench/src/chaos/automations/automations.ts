import { type ContactId, type OrganizationId, type TagId } from "@parley/domain"
import { Console, Effect, Exit, Scope } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { enabled, givenContacts, givenTag, noting, tagAnew } from "../../automations/given.ts"
import * as BenchDatabase from "../../database/BenchDatabase.ts"
import { givenOrganization } from "../../webhooks/given.ts"
import { cutOffConnections } from "../cutOff.ts"
import { type Drawing, drawing } from "../drawing.ts"
import { freePort, groundsOn, layerPreparing, layerWatching, logFile } from "../grounds.ts"
import { harm } from "../harm.ts"
import { makeMortal } from "../mortal.ts"
import { commonFlags, commonOptions, count } from "../options.ts"
import { conclude } from "../verdict.ts"
import { judge, type Noted, type PerformedRun, type Tagging } from "./judge.ts"

/** Fewer for one contact than the hourly run limit of an automation. */
const mostForContact = 8

interface World {
  readonly organizationId: OrganizationId
  readonly contacts: ReadonlyArray<ContactId>
  readonly tagId: TagId
}

/** Three automations for each tagging: the first and the last write a note, the second has a condition that never holds. */
const givenWorld = Effect.fnUntraced(function* (name: string, contacts: number) {
  const organizationId = yield* givenOrganization(name)
  const tagId = yield* givenTag(organizationId, "chaos")
  yield* enabled(organizationId, noting("first", [tagId]))
  yield* enabled(organizationId, { ...noting("never", [tagId]), if: { field: "name", op: "is", value: "Nobody" } })
  yield* enabled(organizationId, noting("second", [tagId]))
  return { organizationId, tagId, contacts: yield* givenContacts(organizationId, contacts) } satisfies World
})

/** Tags contacts until interrupted or finished. The log has the results in the end. */
const tagging = Effect.fnUntraced(function* (draws: Drawing, worlds: ReadonlyArray<World>) {
  const often = new Map<string, number>()
  while (true) {
    const { contacts, organizationId, tagId } = draws.pick(worlds)
    const contact = draws.pick(contacts)
    const before = often.get(contact) ?? 0
    yield* Effect.sleep(draws.between(2, 30))
    if (before >= mostForContact) continue
    often.set(contact, before + 1)
    yield* Effect.exit(Effect.sandbox(tagAnew(organizationId, contact, tagId)))
  }
})

const readTaggings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Tagging>`
    SELECT organization_id AS "organizationId", position::integer AS position FROM events WHERE type = 'contact.tagged'`
})

const readRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<PerformedRun>`
    SELECT r.organization_id AS "organizationId", a.name, r.event_position::integer AS position, r.state,
      r.queue IS NULL AS "isOver"
    FROM automation_runs AS r JOIN automations AS a ON a.organization_id = r.organization_id AND a.id = r.automation_id`
})

/** Texts have positions as people write numbers: 1,000. */
const readNotes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Noted>`
    SELECT organization_id AS "organizationId", conversation_id AS "conversationId", replace(text, ',', '') AS text
    FROM notes ORDER BY created_at, id`
})

const run = Effect.fnUntraced(function* (
  options: Effect.Success<ReturnType<typeof commonOptions>> & { readonly workers: number; readonly freezes: number }
) {
  const { cutEvery, databaseUrl, deadlineMillis, freezes, kills, seed, workers } = options
  yield* Console.log(
    `The seed is ${seed}: three organizations with three automations each, ${workers} processes, ${kills} kills, ${freezes} freezes.`
  )
  const grounds = yield* groundsOn(yield* BenchDatabase.make(databaseUrl))
  const log = yield* logFile("automations", seed)
  const checks = yield* Effect.gen(function* () {
    const worlds = yield* Effect.forEach(["one", "two", "three"], (name) => givenWorld(name, 100)).pipe(
      Effect.provide(layerPreparing(grounds))
    )
    const servers = yield* Effect.forEach(Array.from({ length: workers }), () =>
      Effect.flatMap(freePort, (port) => makeMortal(grounds, { port, log }))
    )
    let cutOff = 0
    const trouble = yield* Scope.fork(yield* Effect.scope)
    yield* Effect.forkIn(
      cutOffConnections(drawing(seed + 1), cutEvery, () => {
        cutOff += 1
      }),
      trouble
    )
    yield* tagging(drawing(seed + 2), worlds).pipe(Effect.provide(layerPreparing(grounds)), Effect.forkIn(trouble))
    yield* harm(drawing(seed + 3), { kills, freezes }, servers)
    yield* Scope.close(trouble, Exit.void)
    const left = Effect.gen(function* () {
      const [taggings, runs] = [yield* readTaggings, yield* readRuns]
      return taggings.length * 3 - runs.filter(({ isOver }) => isOver).length
    })
    yield* Effect.repeat(Effect.delay(left, "500 millis"), { until: (some) => some === 0 }).pipe(
      Effect.timeoutOption(deadlineMillis)
    )
    const [taggings, runs, notes] = [yield* readTaggings, yield* readRuns, yield* readNotes]
    yield* Console.log(
      `${taggings.length} events, ${runs.length} runs, ${notes.length} notes, ${cutOff} connections cut off, ${yield* left} runs left.`
    )
    return judge({ taggings, runs, notes })
  }).pipe(Effect.provide(layerWatching(grounds)))
  yield* conclude(seed, log, checks)
})

/** Automations in several processes that are killed, stopped and disconnected. */
export const automations = Command.make(
  "automations",
  {
    ...commonFlags,
    workers: count("workers", 2, 12, "How many processes there are"),
    freezes: count("freezes", 1, 100, "Number of freezes that exceed the lease")
  },
  Effect.fnUntraced(function* ({ freezes, workers, ...given }) {
    yield* run({ ...(yield* commonOptions(given)), freezes, workers }).pipe(Effect.scoped)
  })
).pipe(
  Command.withDescription(
    "Runs automations in several processes that are killed, frozen and disconnected, and compares their runs and actions with the event log"
  )
)
