import { Cursors, CurrentActor, CurrentOrganization, OrganizationId } from "@parley/domain"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { Arena } from "../Arena.ts"
import { byPgbench } from "../load/pgbench.ts"
import { requestsByWrk } from "../load/readsByWrk.ts"
import type { Target } from "../load/wrk.ts"
import { optionsOf } from "../Options.ts"
import { conclude } from "../report/conclude.ts"
import { ratioOf } from "../report/summary.ts"
import { interleave } from "../rounds.ts"
import { fastify, other, otherFlag, otherParley, parley } from "../servers/contenders.ts"
import { ContactsArena, contactsFlags, layer } from "./ContactsArena.ts"
import { idAfter, inPgbench } from "./seededContacts.ts"
import { drawOrganization, mixed, organizationDrawn, smallOnes } from "./read.ts"
import { type Asked, requireSameContacts } from "./sameContacts.ts"
import { contactsPage } from "./statements.ts"

// The first hundredth of a small organization is less than a page.
const [earliest, latest] = [0.05, 1]

const each = 250

/** Cursors in all organizations: the same number for every small one, and the total of them for the large one. */
const targetsOf = Effect.fnUntraced(function* (
  cursorOf: (organizationId: string, id: string) => Effect.Effect<string, never, Cursors>
) {
  const { visitors } = yield* ContactsArena
  const targets = yield* Effect.forEach(visitors, ({ accessToken, organizationId, place }) => {
    const count = place === 0 ? each * smallOnes : each
    return Effect.forEach(
      Array.from({ length: count }, (_, index) => earliest + ((latest - earliest) * index) / count),
      (share) =>
        Effect.map(cursorOf(organizationId, idAfter(share)), (cursor): Target => ({
          accessToken,
          organizationId,
          path: `/api/v1/contacts?limit=50&cursor=${cursor}`
        }))
    )
  })
  return targets.flat()
})

const sealed = (organizationId: string, id: string) =>
  Effect.flatMap(Cursors, ({ seal }) => seal("contacts/-createdAt", [id])).pipe(
    Effect.provideService(CurrentOrganization, { id: OrganizationId.make(organizationId) }),
    Effect.provideService(CurrentActor, { kind: "operator", name: "bench" })
  )

const { firstMillis, wholeMillis } = inPgbench

const script = `${drawOrganization}
\\set millis ${firstMillis} + random(${earliest * wholeMillis}, ${latest * wholeMillis})
${contactsPage(organizationDrawn, "(lpad(to_hex(:millis::bigint), 12, '0') || '70008000000000000000')::uuid", "51")};
`

const run = Effect.fnUntraced(function* (checkout: Option.Option<string>) {
  const { grounds } = yield* Arena
  const plain = yield* targetsOf((_, id) => Effect.succeed(id))
  const targets = yield* targetsOf(sealed)
  const asked: ReadonlyArray<Asked> = [
    { name: "parley", server: yield* parley(grounds), targets },
    ...(yield* otherParley(grounds, checkout)).map((server) => ({ ...server, targets })),
    { name: "fastify (nothing)", server: yield* fastify(grounds, "nothing"), targets: plain },
    { name: "fastify (standing)", server: yield* fastify(grounds, "standing"), targets: plain }
  ]
  yield* requireSameContacts(asked)
  const byWrk = yield* Effect.forEach(asked, ({ name, server, targets }) => requestsByWrk(name, server, targets))
  const rounds = yield* interleave([...byWrk, yield* byPgbench(script)])
  yield* conclude("contacts-list", rounds, [
    { ...ratioOf("parley", "pgbench", rounds), atLeast: 0.3 },
    { ...ratioOf("parley", "fastify (nothing)", rounds), atLeast: 2 },
    { ...ratioOf("parley", "fastify (standing)", rounds), atLeast: 2 },
    ...(Option.isSome(checkout) ? [{ ...ratioOf("parley", other, rounds), atLeast: null }] : [])
  ])
})

/** P2: a page of 50 contacts at a random depth, compared with Fastify and PostgreSQL. */
export const contactsList = Command.make(
  "contacts-list",
  { ...contactsFlags, ...otherFlag },
  Effect.fnUntraced(function* ({ database, other, ...given }) {
    yield* run(other).pipe(Effect.scoped, Effect.provide(layer(yield* optionsOf(given), database, mixed)))
  })
).pipe(Command.withDescription("50 contacts at a random depth of a list, against Fastify with pg and pgbench"))
