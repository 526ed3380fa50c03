import { createContactField } from "@parley/domain"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Arena } from "../../Arena.ts"
import { quantile } from "../../load/quantile.ts"
import { machineFacts } from "../../machine/facts.ts"
import { optionsOf } from "../../Options.ts"
import { printFacts } from "../../report/print.ts"
import { figure, table } from "../../report/table.ts"
import { writeReport } from "../../report/write.ts"
import { parley } from "../../servers/contenders.ts"
import { ContactsArena, contactsFlags, layer } from "../ContactsArena.ts"
import { sizeOf } from "../seededContacts.ts"
import type { Visitor } from "../visitors.ts"
import { askDirectly, askOverHttp, inside, type Taken } from "./answers.ts"
import { fields, type Kind, kinds, type Question, questionsOf } from "./questions.ts"

/** The large organization, and a small one. */
const places = [0, 7]

const most = 300

/** A query that reads more rows than this share of a large organization has scanned it. */
const mostTouched = 0.1

const perSecond = 50

const nameOf = (place: number) => (place === 0 ? "large" : "small")

const everyKind = Object.entries(kinds)

const rowsOf = (all: ReadonlyArray<Taken>) =>
  places.flatMap((place) =>
    everyKind.flatMap(([kind, bar]) => {
      const own = all.filter((taken) => taken.place === place && taken.question.kind === kind)
      if (own.length === 0) return []
      const millis = Float64Array.from(own.map((taken) => taken.millis)).toSorted()
      return [
        {
          what: `${nameOf(place)}: ${kind}`,
          count: own.length,
          p50: quantile(millis, 0.5),
          p99: quantile(millis, 0.99),
          most: millis.at(-1) ?? Number.NaN,
          touched: Math.max(...own.map(({ touched }) => touched ?? 0)),
          bar
        }
      ]
    })
  )

const printRows = (heading: string, rows: ReturnType<typeof rowsOf>) =>
  Console.log(
    table(
      [heading, "asked", "p50 ms", "p99 ms", "most ms", "most rows", "p99 at most", ""],
      rows.map(({ bar, count, most, p50, p99, touched, what }) => [
        what,
        figure(count),
        figure(p50, 1),
        figure(p99, 1),
        figure(most, 1),
        figure(touched),
        figure(bar),
        p99 <= bar ? "reached" : "missed"
      ])
    )
  )

const printSlowest = (all: ReadonlyArray<Taken>) =>
  Effect.forEach(
    all.toSorted((one, other) => other.millis - one.millis).slice(0, 25),
    ({ isAnswered, millis, place, question, touched }) =>
      Console.log(
        `${figure(millis, 1).padStart(8)} ms  ${nameOf(place)}: ${question.name}${touched === null ? "" : ` (${touched} rows)`}${isAnswered ? "" : ", not answered"}`
      ),
    { discard: true }
  )

const askAll = Effect.fnUntraced(function* <E, R>(
  ask: (visitor: Visitor, question: Question) => Effect.Effect<Taken, E, R>,
  pauseMillis: number
) {
  const { visitors } = yield* ContactsArena
  return (yield* Effect.forEach(visitors, (visitor) =>
    Effect.forEach(questionsOf(visitor.place), (question) =>
      Effect.tap(ask(visitor, question), ({ millis }) => Effect.sleep(Math.max(0, pauseMillis - millis)))
    )
  )).flat()
})

// The server ends before the reads are counted, because its connections report their counts late.
const askServer = Effect.fnUntraced(function* (rounds: number) {
  const { grounds, options } = yield* Arena
  const ask = askOverHttp((yield* parley(grounds)).url)
  if (!options.quick) {
    yield* Console.log("Asking everything once, to warm up.")
    yield* askAll(ask, 0)
  }
  yield* Console.log(`Asking over HTTP, ${rounds} times, at most ${perSecond} a second.`)
  return (yield* Effect.replicateEffect(askAll(ask, options.quick ? 0 : 1_000 / perSecond), rounds)).flat()
})

const keep = ({ isAnswered, millis, place, question, touched }: Taken) => ({
  kind: question.kind satisfies Kind,
  name: question.name,
  place,
  millis,
  touched,
  isAnswered
})

const run = Effect.gen(function* () {
  const { options } = yield* Arena
  const { seeding, visitors } = yield* ContactsArena
  yield* Effect.forEach(visitors, (visitor) =>
    inside(visitor)(Effect.forEach(fields, (field) => createContactField(field), { discard: true }))
  )
  const rounds = options.quick ? 1 : Math.min(options.rounds, 3)
  const served = yield* Effect.scoped(askServer(rounds))
  yield* Console.log("Asking directly, and counting what is read.")
  const direct = (yield* Effect.replicateEffect(askAll(askDirectly, 0), rounds)).flat()

  const facts = yield* machineFacts
  yield* printFacts(facts)
  yield* printRows("over HTTP", rowsOf(served))
  yield* Console.log("")
  yield* printRows("directly", rowsOf(direct))
  yield* Console.log("\nThe slowest over HTTP:")
  yield* printSlowest(served)
  yield* Console.log("\nThe slowest directly:")
  yield* printSlowest(direct)
  const slowest = Math.max(...served.map(({ millis }) => millis))
  const touched = Math.max(...direct.map((taken) => taken.touched ?? 0))
  const large = sizeOf(0, seeding)
  const unanswered = [...served, ...direct].filter(({ isAnswered }) => !isAnswered).length
  yield* Console.log(
    `\nSlowest answer ${figure(slowest, 1)} ms, at most ${most} ms: ${slowest <= most ? "reached" : "missed"}` +
      `\nNot answered: ${unanswered}` +
      `\nMost rows read ${touched}, at most ${mostTouched * large} of ${large}: ${touched <= mostTouched * large ? "reached" : "missed"}`
  )
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("contacts-search", { facts, settings, served: served.map(keep), direct: direct.map(keep) })
})

/** P10: how long lists and searches take among ten million contacts, and whether any of them reads a whole tenant. */
export const contactsSearch = Command.make(
  "contacts-search",
  contactsFlags,
  Effect.fnUntraced(function* ({ database, ...given }) {
    yield* run.pipe(Effect.scoped, Effect.provide(layer(yield* optionsOf(given), database, places, 1)))
  })
).pipe(Command.withDescription("Measures the time and the reads of lists and searches of seed-contacts"))
