import {
  type ContactId,
  consumeLog,
  layerEventConsumers,
  layerWorkers,
  type OrganizationId,
  Outbox,
  EventConsumers,
  type TagId,
  transact
} from "@parley/domain"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { Console, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { within } from "../campaigns/given.ts"
import * as BenchDatabase from "../database/BenchDatabase.ts"
import { quantile } from "../load/quantile.ts"
import { databaseServer, flags } from "../Options.ts"
import { figure } from "../report/table.ts"
import { layerPorts } from "../tenants/ports.ts"
import { givenOrganization } from "../webhooks/given.ts"
import { enabled, givenContacts, givenTag, noting, tagAnew } from "./given.ts"

const each = (count: number) => Array.from({ length: count }, (_, place) => place)

const spread = (millis: ReadonlyArray<number>) => {
  const sorted = Float64Array.from(millis).toSorted()
  return `p50 ${figure(quantile(sorted, 0.5), 1)} ms, p99 ${figure(quantile(sorted, 0.99), 1)} ms`
}

/** How long after an event the note was written that names its position. */
const delays = (organizationId: OrganizationId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly millis: number }>`
      SELECT extract(epoch FROM n.created_at - e.at)::float8 * 1000 AS millis FROM notes AS n
      JOIN events AS e ON e.organization_id = n.organization_id AND e.position = replace(split_part(n.text, ' ', 2), ',', '')::bigint
      WHERE n.organization_id = ${organizationId}::uuid`
    return rows.map(({ millis }) => millis)
  })

interface World {
  readonly organizationId: OrganizationId
  readonly contacts: ReadonlyArray<ContactId>
  readonly tagIds: ReadonlyArray<TagId>
}

/** Tags contacts at a steady rate and waits until each has its note. */
const steadily = Effect.fnUntraced(function* (
  { contacts, organizationId, tagIds }: World,
  perSecond: number,
  seconds: number
) {
  const count = perSecond * seconds
  const gap = 1_000 / perSecond
  const begun = performance.now()
  yield* Effect.forEach(
    each(count),
    Effect.fnUntraced(function* (number) {
      const wait = begun + number * gap - performance.now()
      if (wait > 1) yield* Effect.sleep(wait)
      const [contact, tag] = [contacts[number % contacts.length], tagIds[number % tagIds.length]]
      if (contact !== undefined && tag !== undefined) yield* tagAnew(organizationId, contact, tag)
    }),
    { concurrency: 16, discard: true }
  )
  const offered = count / ((performance.now() - begun) / 1_000)
  const deadline = performance.now() + 120_000
  let millis = yield* delays(organizationId)
  while (millis.length < count && performance.now() < deadline) {
    yield* Effect.sleep("200 millis")
    millis = yield* delays(organizationId)
  }
  return `${figure(offered, 1)} events/s for ${seconds} s: ${millis.length} of ${count} acted on, from the event to the note ${spread(millis)}`
})

/** One organization with a hundred automations. Either one matches each event, or all do and the conditions of one hold. */
const latency = Effect.fnUntraced(function* (perSecond: number, seconds: number, automations: number) {
  for (const kind of [
    "one automation alone",
    "one of them handles each event",
    "all are, and one's conditions hold"
  ] as const) {
    const organizationId = yield* givenOrganization(`latency-${kind.replaceAll(/\W/g, "-")}`)
    const contacts = yield* givenContacts(organizationId, Math.ceil((perSecond * seconds) / 5))
    const count = kind === "one automation alone" ? 1 : automations
    const tagIds = yield* Effect.forEach(each(count), (place) => givenTag(organizationId, `tag ${place}`))
    const [first] = tagIds
    if (first === undefined) return
    const isForAll = kind.startsWith("all")
    yield* Effect.forEach(tagIds, (tagId, place) =>
      enabled(organizationId, {
        ...noting(`n${place}`, isForAll ? [first] : [tagId]),
        ...(isForAll && place > 0 && { if: { field: "name", op: "is", value: "Nobody" } })
      })
    )
    yield* Effect.sleep("2 seconds")
    const world = { organizationId, contacts, tagIds: isForAll ? [first] : tagIds }
    yield* Console.log(`${count} automations, ${kind}: ${yield* steadily(world, perSecond, seconds)}.`)
  }
})

const eventsEach = 10

/** How long the event consumer takes for an event, in organizations with automations that are not for it. */
const cost = Effect.fnUntraced(function* (organizations: number, automationsEach: number, visited: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
    SELECT gen_random_uuid(), 'Cost ' || place, 'cost-' || place, 'scale', 'Europe/Berlin', 'en', 'EUR', 'active', now(), 1
    FROM generate_series(1, ${organizations}::integer) AS place`
  const ids = (yield* sql<{ readonly id: OrganizationId }>`
    SELECT id FROM organizations WHERE slug LIKE 'cost-%' ORDER BY id LIMIT ${visited}`).map(({ id }) => id)
  const fill = (event: string, narrowed: string) => sql`
    INSERT INTO automations (organization_id, id, name, name_key, enabled, position, trigger, trigger_event, condition, actions,
      created_at, updated_at, version)
    SELECT o.id, gen_random_uuid(), 'Cost', 'cost', true, place, ${narrowed}::json, ${event}, '{}',
      '[{"type": "set_priority", "priority": "high"}]', now(), now(), 1
    FROM organizations AS o, generate_series(1, ${automationsEach}::integer) AS place WHERE o.slug LIKE 'cost-%'`
  const consumer = Array.from((yield* EventConsumers).values()).find(({ name }) => name === "automation.start_runs")
  if (consumer === undefined) return yield* Effect.die(new Error("Nobody starts runs."))
  const follow = Effect.forEach(
    ids,
    (id) => within(id)(Effect.repeat(consumeLog(consumer), { while: (again) => again !== null })),
    { discard: true }
  )
  const round = Effect.gen(function* () {
    const tagId = crypto.randomUUID()
    for (const id of ids) {
      const event = { type: "contact.tagged", contactId: crypto.randomUUID(), tagIds: [tagId] }
      yield* within(id)(
        Effect.flatMap(Outbox, (outbox) =>
          transact(Effect.forEach(each(eventsEach), () => outbox.append(event), { discard: true }))
        )
      )
    }
    const begun = performance.now()
    yield* follow
    return ((performance.now() - begun) * 1_000) / (ids.length * eventsEach)
  })
  const measured = Effect.gen(function* () {
    yield* sql`ANALYZE automations`
    yield* round
    const rounds = [yield* round, yield* round, yield* round].toSorted((one, other) => one - other)
    return rounds[1] ?? 0
  })
  yield* follow
  yield* measured
  const [before, others] = [
    yield* measured,
    yield* Effect.andThen(fill("order.paid", '{"event": "order.paid"}'), measured)
  ]
  yield* sql`DELETE FROM automations`
  const between = yield* measured
  yield* fill("contact.tagged", `{"event": "contact.tagged", "tagIds": ["${crypto.randomUUID()}"]}`)
  const narrowed = yield* measured
  const none = (before + between) / 2
  const ratio = (micros: number) => `${figure(micros)} µs (${figure(micros / none, 2)} times)`
  yield* Console.log(
    `${figure(organizations)} organizations, the consumer in ${ids.length} of them, for each event: ${figure(none)} µs without automations, ${ratio(others)} with ${automationsEach} on other events in each, ${ratio(narrowed)} with ${automationsEach} on this event for another tag.`
  )
})

const amount = (name: string, usual: number, about: string) =>
  Flag.Int(name).pipe(Flag.withDescription(`${about} (${usual})`), Flag.withDefault(usual))

/** How soon automations act, and the cost of events without a matching automation. */
export const automations = Command.make(
  "automations",
  {
    databaseUrl: flags.databaseUrl,
    of: Flag.Literals("of", ["all", "latency", "cost"]).pipe(
      Flag.withDescription("Only how soon they act, or what an event costs that is for none (all)"),
      Flag.withDefault("all")
    ),
    perSecond: amount("per-second", 10, "How many events a second"),
    seconds: amount("seconds", 20, "For how long"),
    each: amount("automations", 100, "Number of automations in the organization for the latency measurement"),
    organizations: amount(
      "organizations",
      10_000,
      "In how many organizations there are automations that are for no event"
    ),
    automationsEach: amount("automations-each", 20, "How many of these there are in each"),
    visited: amount("visited", 200, "In how many of them something happens")
  },
  Effect.fnUntraced(function* ({
    automationsEach,
    databaseUrl: server,
    each: count,
    of,
    organizations,
    perSecond,
    seconds,
    visited
  }) {
    const databaseUrl = yield* BenchDatabase.make(yield* databaseServer(server))
    const masterKeys = yield* generateMasterKey("bench")
    const ports = layerPorts({ databaseUrl, masterKeys, poolSize: 10 })
    if (of !== "latency") {
      const withConsumers = Layer.provideMerge(layerEventConsumers, ports)
      yield* cost(organizations, automationsEach, visited).pipe(Effect.provide(withConsumers))
    }
    if (of !== "cost") {
      const working = Layer.provideMerge(layerWorkers(), ports)
      yield* latency(perSecond, seconds, count).pipe(Effect.scoped, Effect.provide(working))
    }
  }, Effect.scoped)
).pipe(Command.withDescription("Measures the latency of automations, and the cost of events without an automation"))
