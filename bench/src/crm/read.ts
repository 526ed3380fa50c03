import { Effect } from "effect"
import { Command } from "effect/cli"
import { Arena } from "../Arena.ts"
import { byPgbench } from "../load/pgbench.ts"
import { requestsByWrk } from "../load/readsByWrk.ts"
import type { Target } from "../load/wrk.ts"
import { optionsOf } from "../Options.ts"
import { conclude } from "../report/conclude.ts"
import { ratioOf } from "../report/summary.ts"
import { interleave } from "../rounds.ts"
import { fastify, parley, processesFlag } from "../servers/contenders.ts"
import { ContactsArena, contactsFlags, layer } from "./ContactsArena.ts"
import { contactIdAt, inPgbench, numberIn, sizeOf } from "./seededContacts.ts"
import { type Asked, requireSameContacts } from "./sameContacts.ts"
import { organizationAt } from "./seedContacts.ts"
import { contactById } from "./statements.ts"

/** Number of small organizations read together with the large one. */
export const smallOnes = 20

/** The large organization and some small ones. */
export const mixed = Array.from({ length: smallOnes + 1 }, (_, place) => place)

// As many of the large organization as of all small ones: a hot set, not a whole table that exceeds the memory.
const readOfLarge = 50_000

const targetsOf = Effect.gen(function* () {
  const { seeding, visitors } = yield* ContactsArena
  return visitors.flatMap(({ accessToken, organizationId, place }): ReadonlyArray<Target> => {
    const size = sizeOf(place, seeding)
    const count = place === 0 ? Math.min(size, readOfLarge) : size
    const step = Math.floor(size / count)
    return Array.from({ length: count }, (_, index) => ({
      accessToken,
      organizationId,
      path: `/api/v1/contacts/${contactIdAt(numberIn(place, index * step), seeding)}`
    }))
  })
})

const start = organizationAt(0).slice(0, -5)

/** Draws an organization like the requests: the large one half of the time. */
export const drawOrganization = `\\set organization CASE WHEN random(0, 1) = 0 THEN 0 ELSE random(1, ${smallOnes}) END`

/** The drawn organization. */
export const organizationDrawn = `('${start}' || lpad(to_hex(:organization::integer), 5, '0'))::uuid`

const scriptOf = Effect.gen(function* () {
  const { seeding } = yield* ContactsArena
  const { firstMillis, small } = inPgbench
  const [large, each] = [sizeOf(0, seeding), sizeOf(1, seeding)]
  const count = Math.min(large, readOfLarge)
  const id = `(lpad(to_hex(:millis::bigint), 12, '0') || '7' || lpad(to_hex(:number::integer & 4095), 3, '0') || '8'
    || substr(md5(:number::text), 1, 15))::uuid`
  return `${drawOrganization}
\\set inLarge 2 * ${Math.floor(large / count)} * random(0, ${count - 1})
\\set inSmall 2 * (${small} * random(0, ${each - 1}) + :organization - 1) + 1
\\set number CASE WHEN :organization = 0 THEN :inLarge ELSE :inSmall END
\\set millis ${firstMillis} + :number * ${seeding.millisBetween}
${contactById(organizationDrawn, id)};
`
})

const run = Effect.gen(function* () {
  const { grounds } = yield* Arena
  const targets = yield* targetsOf
  const asked: ReadonlyArray<Asked> = [
    { name: "parley", server: yield* parley(grounds), targets },
    { name: "fastify (nothing)", server: yield* fastify(grounds, "nothing"), targets },
    { name: "fastify (standing)", server: yield* fastify(grounds, "standing"), targets }
  ]
  yield* requireSameContacts(asked)
  const byWrk = yield* Effect.forEach(asked, ({ name, server }) => requestsByWrk(name, server, targets))
  const rounds = yield* interleave([...byWrk, yield* byPgbench(yield* scriptOf)])
  yield* conclude("contacts-read", rounds, [
    { ...ratioOf("parley", "pgbench", rounds), atLeast: 0.4 },
    { ...ratioOf("parley", "fastify (nothing)", rounds), atLeast: 1.5 },
    { ...ratioOf("parley", "fastify (standing)", rounds), atLeast: 1.5 }
  ])
})

/** P1 on contacts: an authenticated read by id, compared with Fastify and PostgreSQL. */
export const contactsRead = Command.make(
  "contacts-read",
  { ...contactsFlags, ...processesFlag },
  Effect.fnUntraced(function* ({ database, processes, ...given }) {
    yield* run.pipe(Effect.scoped, Effect.provide(layer(yield* optionsOf(given), database, mixed, 4, processes)))
  })
).pipe(Command.withDescription("A contact of seed-contacts by id, against Fastify with pg and pgbench"))
