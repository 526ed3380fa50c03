import type { Cursors } from "@parley/domain"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { Arena } from "../Arena.ts"
import { ContactsArena } from "../crm/ContactsArena.ts"
import { drawOrganization, mixed, organizationDrawn, smallOnes } from "../crm/read.ts"
import { type Asked, requireSameContacts } from "../crm/sameContacts.ts"
import { userIdAt } from "../crm/visitors.ts"
import { byPgbench } from "../load/pgbench.ts"
import { requestsByWrk } from "../load/readsByWrk.ts"
import type { Target } from "../load/wrk.ts"
import { optionsOf } from "../Options.ts"
import { conclude } from "../report/conclude.ts"
import { ratioOf } from "../report/summary.ts"
import { interleave } from "../rounds.ts"
import { fastify, other, otherFlag, otherParley, parley } from "../servers/contenders.ts"
import { inboxFlags, layer, sealed } from "./InboxArena.ts"
import { activeBefore, activity, beyondIds } from "./seededInbox.ts"
import { askings, conversationsPage, messagesPage } from "./statements.ts"

/** One page of five is the first one; the others start anywhere. */
const firstOneOf = 5

const each = 250

/** Gives a server's own cursor for the page behind this key. */
type CursorOf = (organizationId: string, list: string, at: string, id: string) => Effect.Effect<string, never, Cursors>

const plain: CursorOf = (_organizationId, _list, at, id) => Effect.succeed(`${at}_${id}`)
const opaque: CursorOf = (organizationId, list, at, id) => sealed(organizationId, list, [at, id])

const filters = ["status=open", "assignee=me", "unread=true", "label=billing"]

/** Pages of all conversations, or of filtered ones, from the first to the last. */
const listTargets = (parameters: ReadonlyArray<string>) =>
  Effect.fnUntraced(function* (cursorOf: CursorOf) {
    const { visitors } = yield* ContactsArena
    const targets = yield* Effect.forEach(visitors, ({ accessToken, organizationId, place }) => {
      const count = place === 0 ? each * smallOnes : each
      return Effect.forEach(
        Array.from({ length: count }, (_, index) => index),
        Effect.fnUntraced(function* (index) {
          const parameter = parameters[index % parameters.length]
          const query = parameter === undefined ? "limit=50" : `limit=50&${parameter}`
          const at = activeBefore((index * 0.618_033_988_75) % 1)
          const cursor =
            index % firstOneOf === 0
              ? ""
              : `&cursor=${yield* cursorOf(organizationId, "conversations/-lastActivityAt", at, beyondIds)}`
          return { accessToken, organizationId, path: `/api/v1/conversations?${query}${cursor}` } satisfies Target
        })
      )
    })
    return targets.flat()
  })

interface LongOne {
  readonly id: string
  readonly organizationId: string
  readonly at: string
}

const longOnes = 40

/** Conversations with many messages, half of them of the large organization, and a time within each. */
const longConversations = Effect.gen(function* () {
  const { visitors } = yield* ContactsArena
  const sql = yield* SqlClient.SqlClient
  const found = yield* Effect.forEach(
    visitors,
    ({ organizationId, place }) => sql<LongOne>`
      SELECT id, organization_id AS "organizationId", to_char((created_at + random() * (last_activity_at - created_at))
        AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
      FROM conversations WHERE organization_id = ${organizationId} AND inbound_count >= 50
      ORDER BY md5(id::text) LIMIT ${place === 0 ? longOnes * smallOnes : longOnes}`
  )
  return found.flat()
})

const messageTargets = (conversations: ReadonlyArray<LongOne>) =>
  Effect.fnUntraced(function* (cursorOf: CursorOf) {
    const { visitors } = yield* ContactsArena
    const tokens = new Map(visitors.map(({ accessToken, organizationId }) => [organizationId, accessToken]))
    return yield* Effect.forEach(
      conversations,
      Effect.fnUntraced(function* ({ at, id, organizationId }, index) {
        const cursor =
          index % firstOneOf === 0 ? "" : `&cursor=${yield* cursorOf(organizationId, `messages/${id}`, at, beyondIds)}`
        const path = `/api/v1/conversations/${id}/messages?limit=50${cursor}`
        return { accessToken: tokens.get(organizationId) ?? "", organizationId, path } satisfies Target
      })
    )
  })

const drawTime = `\\set seconds CASE WHEN random(1, ${firstOneOf}) = 1 THEN ${activity.wholeSeconds} ELSE random(0, ${activity.wholeSeconds}) END`
const timeDrawn = `timestamptz '${new Date(activity.first).toISOString()}' + :seconds * interval '1 second'`

const pageDrawn = (asking: keyof typeof askings, value = "NULL") =>
  `${conversationsPage(askings[asking], organizationDrawn, value, [timeDrawn, `'${beyondIds}'::uuid`], "51")};`

const visitorDrawn = `('${userIdAt(0, 0).slice(0, -12)}' || lpad(to_hex(:organization::integer), 12, '0'))`

const scripts = {
  all: `${drawOrganization}
${drawTime}
${pageDrawn("all")}
`,
  filtered: `${drawOrganization}
${drawTime}
\\set filter random(1, 4)
\\if :filter = 1
${pageDrawn("status", "'open'")}
\\elif :filter = 2
${pageDrawn("assignee", visitorDrawn)}
\\elif :filter = 3
${pageDrawn("unread")}
\\else
${pageDrawn("label", "'billing'")}
\\endif
`
}

/** The table of targets is a step more than the services take: pgbench can draw a number, but not an id. */
const messagesScript = Effect.fnUntraced(function* (conversations: ReadonlyArray<LongOne>) {
  const sql = yield* SqlClient.SqlClient
  const drop = Effect.orDie(sql`DROP TABLE IF EXISTS bench_targets`)
  yield* drop
  yield* Effect.acquireRelease(
    sql`
      CREATE TABLE bench_targets AS
      SELECT (place - 1)::integer AS place, organization_id, id,
        CASE WHEN (place - 1) % ${firstOneOf}::integer = 0 THEN 'infinity' ELSE at END AS at
      FROM unnest(${conversations.map(({ organizationId }) => organizationId)}::uuid[],
        ${conversations.map(({ id }) => id)}::uuid[], ${conversations.map(({ at }) => at)}::timestamptz[])
        WITH ORDINALITY AS t (organization_id, id, at, place)`.pipe(
      Effect.andThen(sql`ALTER TABLE bench_targets ADD PRIMARY KEY (place)`),
      Effect.andThen(sql`ANALYZE bench_targets`)
    ),
    () => drop
  )
  return `\\set place random(0, ${conversations.length - 1})
SELECT page.* FROM bench_targets AS t CROSS JOIN LATERAL (
  ${messagesPage("t.organization_id", "t.id", ["t.at", `'${beyondIds}'::uuid`], "51")}
) AS page WHERE t.place = :place;
`
})

const match = Effect.fnUntraced(function* <E, R>(
  name: string,
  servers: ReadonlyArray<Omit<Asked, "targets">>,
  targetsOf: (cursorOf: CursorOf) => Effect.Effect<ReadonlyArray<Target>, E, R>,
  script: string
) {
  const asked = yield* Effect.forEach(servers, (server) =>
    Effect.map(targetsOf(server.name.startsWith("fastify") ? plain : opaque), (targets): Asked => ({
      ...server,
      targets
    }))
  )
  yield* requireSameContacts(asked)
  const byWrk = yield* Effect.forEach(asked, ({ name: server, server: running, targets }) =>
    requestsByWrk(`${server}: ${name}`, running, targets)
  )
  return [...byWrk, { ...(yield* byPgbench(script, name)), name: `pgbench: ${name}` }]
})

const run = Effect.fnUntraced(function* (checkout: Option.Option<string>) {
  const { grounds } = yield* Arena
  const conversations = yield* longConversations
  const servers = [
    { name: "parley", server: yield* parley(grounds) },
    ...(yield* otherParley(grounds, checkout)),
    { name: "fastify (nothing)", server: yield* fastify(grounds, "nothing") },
    { name: "fastify (standing)", server: yield* fastify(grounds, "standing") }
  ]
  const matches = [
    { name: "all", contestants: yield* match("all", servers, listTargets([]), scripts.all) },
    { name: "filtered", contestants: yield* match("filtered", servers, listTargets(filters), scripts.filtered) },
    {
      name: "messages",
      contestants: yield* match(
        "messages",
        servers,
        messageTargets(conversations),
        yield* messagesScript(conversations)
      )
    }
  ]
  const rounds = yield* interleave(matches.flatMap(({ contestants }) => contestants))
  yield* conclude(
    "inbox-list",
    rounds,
    matches.flatMap(({ name }) => [
      { ...ratioOf(`parley: ${name}`, `pgbench: ${name}`, rounds), atLeast: 0.3 },
      { ...ratioOf(`parley: ${name}`, `fastify (nothing): ${name}`, rounds), atLeast: 2 },
      { ...ratioOf(`parley: ${name}`, `fastify (standing): ${name}`, rounds), atLeast: 2 },
      ...(Option.isSome(checkout)
        ? [{ ...ratioOf(`parley: ${name}`, `${other}: ${name}`, rounds), atLeast: null }]
        : [])
    ])
  )
})

/** P2 on the inbox: pages of conversations and of messages, against Fastify and against PostgreSQL itself. */
export const inboxList = Command.make(
  "inbox-list",
  { ...inboxFlags, ...otherFlag },
  Effect.fnUntraced(function* ({ database, other, ...given }) {
    yield* run(other).pipe(Effect.scoped, Effect.provide(layer(yield* optionsOf(given), database, mixed)))
  })
).pipe(
  Command.withDescription("50 conversations or messages at any depth of seed-inbox's, against Fastify and pgbench")
)
