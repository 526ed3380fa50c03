import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { Arena } from "../Arena.ts"
import { ContactsArena } from "../crm/ContactsArena.ts"
import { organizationAt } from "../crm/seedContacts.ts"
import type { Visitor } from "../crm/visitors.ts"
import { HttpConnection } from "../load/HttpConnection.ts"
import { quantile } from "../load/quantile.ts"
import { machineFacts } from "../machine/facts.ts"
import { optionsOf } from "../Options.ts"
import { printFacts } from "../report/print.ts"
import { figure, table } from "../report/table.ts"
import { writeReport } from "../report/write.ts"
import { parley } from "../servers/contenders.ts"
import { inboxFlags, layer, sealed } from "./InboxArena.ts"
import { type Kind, kinds, type ListQuestion, type OtherQuestion, parametersOf, questionsOf } from "./questions.ts"
import { requireSameList } from "./sameLists.ts"
import { touchedBy } from "./touched.ts"

/** The large organization, and a small one. */
const places = [0, 7]

const mostMillis = 300

const perSecond = 50

const nameOf = (place: number) => (place === 0 ? "large" : "small")

/** A question as it is sent. */
interface Call {
  readonly kind: Kind
  readonly name: string
  readonly visitor: Visitor
  readonly path: string
}

interface Taken extends Omit<Call, "visitor" | "path"> {
  readonly place: number
  readonly millis: number
  readonly isAnswered: boolean
}

const listPath = Effect.fnUntraced(function* ({ organizationId }: Visitor, question: ListQuestion) {
  const parameters = parametersOf(question)
  const { after, sort } = question
  if (after !== null) parameters.set("cursor", yield* sealed(organizationId, `conversations/${sort}`, after))
  return `/api/v1/conversations?${parameters}`
})

const otherPath = Effect.fnUntraced(function* (
  { organizationId }: Visitor,
  { after, kind, list, path }: OtherQuestion
) {
  const cursor = after === null || list === null ? "" : `&cursor=${yield* sealed(organizationId, list, after)}`
  return kind === "pages of messages" ? `${path}?limit=50${cursor}` : path
})

/** Every call to the organization. The answers of a small one are checked, too. */
const callsTo = Effect.fnUntraced(function* (url: string, visitor: Visitor) {
  const { lists, others } = yield* questionsOf(visitor)
  let rows = 0
  const ofLists = yield* Effect.forEach(
    lists,
    Effect.fnUntraced(function* (question) {
      const path = yield* listPath(visitor, question)
      if (visitor.place !== 0) rows += yield* requireSameList(url, path, visitor, question)
      return { kind: question.kind, name: question.name, visitor, path } satisfies Call
    })
  )
  if (visitor.place !== 0) yield* Console.log(`${lists.length} answers with ${rows} conversations are right.`)
  const ofOthers = yield* Effect.forEach(others, (question) =>
    Effect.map(otherPath(visitor, question), (path): Call => ({
      kind: question.kind,
      name: question.name,
      visitor,
      path
    }))
  )
  return [...ofLists, ...ofOthers]
})

/** Calls over one connection, one after the other. */
const calling = (url: string) => {
  const connection = new HttpConnection(new URL(url))
  return ({ kind, name, path, visitor }: Call) =>
    Effect.callback<Taken>((resume) => {
      const { accessToken, organizationId, place } = visitor
      const begun = performance.now()
      connection.send(
        `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${accessToken}\r\nX-Organization-Id: ${organizationId}\r\n\r\n`,
        (status) =>
          resume(Effect.succeed({ kind, name, place, millis: performance.now() - begun, isAnswered: status === 200 }))
      )
    })
}

const everyKind = Object.entries(kinds)

const rowsOf = (all: ReadonlyArray<Taken>) =>
  places.flatMap((place) =>
    everyKind.flatMap(([kind, bar]) => {
      const own = all.filter((taken) => taken.place === place && taken.kind === kind)
      if (own.length === 0) return []
      const millis = Float64Array.from(own.map((taken) => taken.millis)).toSorted()
      const [p50, p99, most] = [quantile(millis, 0.5), quantile(millis, 0.99), millis.at(-1) ?? Number.NaN]
      return [{ what: `${nameOf(place)}: ${kind}`, count: own.length, p50, p99, most, bar }]
    })
  )

const printRows = (rows: ReturnType<typeof rowsOf>) =>
  Console.log(
    table(
      ["over HTTP", "asked", "p50 ms", "p99 ms", "most ms", "p99 at most", ""],
      rows.map(({ bar, count, most, p50, p99, what }) => [
        what,
        figure(count),
        figure(p50, 1),
        figure(p99, 1),
        figure(most, 1),
        figure(bar),
        p99 <= bar ? "reached" : "missed"
      ])
    )
  )

/** A query that reads more rows than this share of a large organization has scanned it. */
const mostTouched = 0.1

interface Counted {
  readonly place: number
  readonly name: string
  readonly touched: number
}

/** How much is read for every list, by the use case itself. */
const countAll = Effect.gen(function* () {
  const { visitors } = yield* ContactsArena
  const counted = yield* Effect.forEach(
    visitors,
    Effect.fnUntraced(function* (visitor) {
      const { lists } = yield* questionsOf(visitor)
      return yield* Effect.forEach(lists, (question) =>
        Effect.map(touchedBy(visitor, question), (touched): Counted => ({
          place: visitor.place,
          name: question.name,
          touched
        }))
      )
    })
  )
  return counted.flat()
})

const sizeOfLarge = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = organizationAt(0)
  const [row] = yield* sql<{ readonly count: number }>`
    SELECT ((SELECT count(*) FROM conversations WHERE organization_id = ${id})
      + (SELECT count(*) FROM messages WHERE organization_id = ${id}))::integer AS count`
  return row?.count ?? 0
})

// The server ends before the reads are counted, because its connections report their counts late.
const askServer = Effect.gen(function* () {
  const { grounds, options } = yield* Arena
  const { visitors } = yield* ContactsArena
  const { url } = yield* parley(grounds)
  const calls = (yield* Effect.forEach(visitors, (visitor) => callsTo(url, visitor))).flat()
  const call = calling(url)
  const pauseMillis = options.quick ? 0 : 1_000 / perSecond
  const askAll = Effect.forEach(calls, (each) =>
    Effect.tap(call(each), ({ millis }) => Effect.sleep(Math.max(0, pauseMillis - millis)))
  )
  if (!options.quick) {
    yield* Console.log("Asking everything once, to warm up.")
    yield* askAll
  }
  const rounds = options.quick ? 1 : Math.min(options.rounds, 3)
  yield* Console.log(`Asking ${calls.length} questions ${rounds} times, one at a time.`)
  return (yield* Effect.replicateEffect(askAll, rounds)).flat()
})

const run = Effect.gen(function* () {
  const { options } = yield* Arena
  const taken = yield* Effect.scoped(askServer)
  yield* Console.log("Asking directly, and counting what is read.")
  const counted = (yield* countAll).toSorted((one, other) => other.touched - one.touched)
  const large = yield* sizeOfLarge
  const facts = yield* machineFacts
  yield* printFacts(facts)
  yield* printRows(rowsOf(taken))
  yield* Console.log("\nThe slowest:")
  const slowest = taken.toSorted((one, other) => other.millis - one.millis)
  yield* Effect.forEach(
    slowest.slice(0, 25),
    ({ isAnswered, millis, name, place }) =>
      Console.log(
        `${figure(millis, 1).padStart(8)} ms  ${nameOf(place)}: ${name}${isAnswered ? "" : ", not answered"}`
      ),
    { discard: true }
  )
  yield* Console.log("\nThose that read most:")
  yield* Effect.forEach(
    counted.slice(0, 10),
    ({ name, place, touched }) => Console.log(`${figure(touched).padStart(8)} rows  ${nameOf(place)}: ${name}`),
    { discard: true }
  )
  const touched = counted[0]?.touched ?? Number.NaN
  const most = slowest[0]?.millis ?? Number.NaN
  yield* Console.log(
    `\nSlowest answer ${figure(most, 1)} ms, at most ${mostMillis} ms: ${most <= mostMillis ? "reached" : "missed"}` +
      `\nNot answered: ${taken.filter(({ isAnswered }) => !isAnswered).length}` +
      `\nMost rows read ${figure(touched)}, at most ${figure(mostTouched * large)} of ${large}: ${touched <= mostTouched * large ? "reached" : "missed"}`
  )
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("inbox-search", { facts, settings, taken, counted })
})

/** P10 on the inbox: how long every list, filter, sort and search takes among the conversations of `seed-inbox`. */
export const inboxSearch = Command.make(
  "inbox-search",
  inboxFlags,
  Effect.fnUntraced(function* ({ database, ...given }) {
    yield* run.pipe(Effect.scoped, Effect.provide(layer(yield* optionsOf(given), database, places, 1)))
  })
).pipe(Command.withDescription("How long every list, filter and search of conversations takes among seed-inbox's"))
