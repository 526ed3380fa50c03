import { Effect, type Option } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import * as Arena from "../Arena.ts"
import { closedLoop } from "../load/closedLoop.ts"
import { ToolFailed } from "../load/ToolFailed.ts"
import { flags, optionsOf } from "../Options.ts"
import { conclude } from "../report/conclude.ts"
import { ratioOf } from "../report/summary.ts"
import { interleave } from "../rounds.ts"
import { fastify, noWorkersFlag, otherFlag, otherParley, parley } from "../servers/contenders.ts"
import type { RunningServer } from "../servers/launch.ts"
import { organizationIdAt } from "../tenants/seededIds.ts"
import type { Caller } from "../tenants/Population.ts"
import { familyEnds, familyStems, givenNames } from "./words.ts"

const tagStart = "00000000-0000-7000-8000-00000000"
const tagsEach = 10

const tagAt = (place: number) => `${tagStart}${place.toString(16).padStart(4, "0")}`

const seedTags = Effect.gen(function* () {
  const { population } = yield* Arena.Arena
  const sql = yield* SqlClient.SqlClient
  for (let place = 0; place < population.organizations; place++) {
    yield* sql`
      INSERT INTO tags (organization_id, id, name, name_key, color, created_at, updated_at, version)
      SELECT ${organizationIdAt(place)}::uuid, (${tagStart} || lpad(to_hex(tag), 4, '0'))::uuid, 'Tag ' || tag,
        'tag ' || tag, '#1f6feb', now(), now(), 1 FROM generate_series(0, ${tagsEach - 1}::integer) AS tag`
  }
})

const knownEach = 500

/** Contacts that were there before: a planner that knew empty tables would read them whole when they are not empty any more. */
const seedKnown = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    WITH known AS (
      INSERT INTO contacts (organization_id, id, name, name_key, phone, identities, attributes, tags, marketing, created_at,
        updated_at, version, search)
      SELECT o.id, gen_random_uuid(), 'Known ' || n, 'known ' || n, p.phone,
        jsonb_build_array(jsonb_build_object('kind', 'phone', 'value', p.phone, 'source', 'api', 'addedAt', now())), '{}',
        '{}', 'unknown', now(), now(), 1, 'known ' || n || chr(9) || substr(p.phone, 2)
      FROM organizations AS o, generate_series(1, ${knownEach}::integer) AS n,
        LATERAL (SELECT '+49159' || lpad(n::text, 8, '0') AS phone) AS p
      RETURNING organization_id, id, phone
    ), counted AS (
      INSERT INTO contact_counts (organization_id, count) SELECT organization_id, count(*) FROM known GROUP BY 1
    )
    INSERT INTO contact_identities (organization_id, kind, key, contact_id)
    SELECT organization_id, 'phone', phone, id FROM known`
  yield* sql`
    INSERT INTO contact_search_words (organization_id, word)
    SELECT o.id, word FROM organizations AS o, unnest(${[...new Set(givenNames)].map((name) => name.toLowerCase())}::text[]) AS word
    ON CONFLICT DO NOTHING`
  yield* sql`ANALYZE`
})

const random = (below: number) => Math.floor(Math.random() * below)

const pick = <A>(items: ReadonlyArray<A>): A => {
  const item = items[random(items.length)]
  if (item === undefined) throw new Error("There is nothing to pick from.")
  return item
}

const anyName = () => `${pick(givenNames)} ${pick(familyStems)}${pick(familyEnds)}`

const message = (method: string, path: string, { accessToken, organizationId }: Caller, content: object) => {
  const body = Buffer.from(JSON.stringify(content)).toString("latin1")
  return `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${accessToken}\r\nX-Organization-Id: ${organizationId}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

// Each contestant has a separate prefix in each task, to separate their data.
const beginnings = [1511, 1512, 1514, 1515, 1516, 1517, 1520, 1522, 1523, 1525, 1526, 1529]

const phonesFrom = (beginning: number) => (number: number) => `+49${beginning}${String(number).padStart(7, "0")}`

/** New contacts: a name, a phone number, an email address, a language and one tag out of ten. */
const creations = (callers: ReadonlyArray<Caller>, beginning: number) => {
  const phone = phonesFrom(beginning)
  let count = 0
  return () => {
    count += 1
    return message("POST", "/api/v1/contacts", pick(callers), {
      name: anyName(),
      phone: phone(count),
      email: `contact-${beginning}-${count}@example.com`,
      locale: "de",
      tags: [tagAt(random(tagsEach))]
    })
  }
}

const settled = 1_000

/** Lookups of a phone number: new ones and earlier new ones in turn. */
const upserts = (callers: ReadonlyArray<Caller>, beginning: number) => {
  const phone = phonesFrom(beginning)
  let count = 0
  let isNew = true
  const callerOf = (number: number) => callers[number % callers.length] ?? pick(callers)
  return () => {
    isNew = !isNew || count <= settled
    if (isNew) count += 1
    const number = isNew ? count : 1 + random(count - settled)
    const path = `/api/v1/contacts/by-phone/${encodeURIComponent(phone(number))}`
    return message("PUT", path, callerOf(number), { name: anyName(), locale: "de" })
  }
}

const contestant = (
  { options }: Arena.Arena["Service"],
  name: string,
  { pids, url }: RunningServer,
  request: () => string
) => ({
  name,
  pids,
  run: Effect.fnUntraced(function* (seconds: number) {
    const load = yield* closedLoop({ url, seconds, connections: options.connections, request })
    if (load.refused + load.broken > 0) {
      const output = `${load.broken} requests got no answer; the others: ${JSON.stringify(load.statuses)}`
      return yield* new ToolFailed({ tool: name, output })
    }
    return { perSecond: load.perSecond, load }
  })
})

const tasks = { create: creations, upsert: upserts }

/** Makes contestants of servers: contacts of all tenants that are created or upserted. */
export const writing = Effect.fnUntraced(function* (what: "creations" | "upserts") {
  const arena = yield* Arena.Arena
  yield* seedTags
  yield* seedKnown
  const requests = what === "creations" ? creations : upserts
  return (name: string, server: RunningServer) =>
    contestant(arena, name, server, requests(arena.population.callers, beginnings[0] ?? 0))
})

const run = Effect.fnUntraced(function* (checkout: Option.Option<string>) {
  const arena = yield* Arena.Arena
  const { grounds, population } = arena
  yield* seedTags
  yield* seedKnown
  const servers = [
    { name: "parley", server: yield* parley(grounds) },
    ...(yield* otherParley(grounds, checkout)),
    { name: "fastify", server: yield* fastify(grounds, "standing") }
  ]
  const [first] = population.callers
  const alone = population.callers.filter(({ organizationId }) => organizationId === first?.organizationId)
  const crowds = { "one tenant": alone, [`${population.organizations} tenants`]: population.callers }
  const matches = Object.entries(tasks).flatMap(([task, requests]) =>
    Object.entries(crowds).map(([crowd, callers]) => ({ name: `${task}, ${crowd}`, callers, requests }))
  )
  const contestants = matches.flatMap(({ callers, name, requests }, match) =>
    servers.map(({ name: server, server: running }, place) =>
      contestant(
        arena,
        `${server}: ${name}`,
        running,
        requests(callers, beginnings[servers.length * match + place] ?? 0)
      )
    )
  )
  const rounds = yield* interleave(contestants)
  yield* conclude(
    "contacts-write",
    rounds,
    servers
      .slice(1)
      .flatMap(({ name: server }) =>
        matches.map(({ name }) => ({ ...ratioOf(`parley: ${name}`, `${server}: ${name}`, rounds), atLeast: null }))
      )
  )
})

/**
 * Contacts that are made and changed. Both servers write for a new one, in one transaction: its identities, the words of
 * its name, its row, its tag in the table of tags and in their counts, the count of contacts, the audit entry, the event
 * and its position. For a known one: the lock, the words, the row, the audit entry, the event and its position.
 */
export const contactsWrite = Command.make(
  "contacts-write",
  { ...flags, ...otherFlag, ...noWorkersFlag },
  Effect.fnUntraced(function* ({ noWorkers, other, ...given }) {
    const options = { ...(yield* optionsOf(given)), rows: 640 }
    const arena = Arena.layer(options, { isUnlimited: true, hasWorkers: !noWorkers })
    yield* run(other).pipe(Effect.scoped, Effect.provide(arena))
  })
).pipe(Command.withDescription("How many contacts are created and upserted a second, against Fastify with pg"))
