import {
  CurrentActor,
  CurrentOrganization,
  Cursors,
  listContacts,
  OrganizationId,
  type PageRequest,
  parseContactSearch
} from "@parley/domain"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { HttpConnection } from "../../load/HttpConnection.ts"
import type { Visitor } from "../visitors.ts"
import { parametersOf, type Question } from "./questions.ts"

/** Cost of an answer. */
export interface Taken {
  readonly question: Question
  readonly place: number
  readonly millis: number
  /** Rows read from the tables of contacts, and index entries; `null` without a count. */
  readonly touched: number | null
  /** Whether a page exists. */
  readonly isAnswered: boolean
}

/** In the organization, without HTTP. */
export const inside =
  ({ organizationId }: Visitor) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id: OrganizationId.make(organizationId) }),
      Effect.provideService(CurrentActor, { kind: "operator", name: "bench" })
    )

/** The cursor of the query, as the previous page of the service would contain it. */
export const cursorOf = Effect.fnUntraced(function* ({ after, request: { q, sort = "-createdAt" } }: Question) {
  if (after === null) return null
  const search = q === undefined ? null : parseContactSearch(q)
  return yield* (yield* Cursors).seal(`contacts/${sort}${search === null ? "" : `/${search.kind}`}`, after)
})

const touched = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_force_next_flush()`
  const [row] = yield* sql<{ readonly touched: number }>`
    SELECT (SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_user_tables
        WHERE relname IN ('contacts', 'contact_identities', 'contact_tags', 'contact_search_words'))::float8
      + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes
        WHERE relname IN ('contacts', 'contact_identities', 'contact_tags', 'contact_search_words'))::float8 AS touched`
  return row?.touched ?? 0
})

/** Calls the use case itself. PostgreSQL counts its reads, so no other caller may run at the same time. */
export const askDirectly = Effect.fnUntraced(function* (visitor: Visitor, question: Question) {
  const page: PageRequest = { limit: 50, cursor: yield* inside(visitor)(cursorOf(question)) }
  const before = yield* touched
  const start = performance.now()
  const exit = yield* Effect.exit(inside(visitor)(listContacts({ ...question.request, page })))
  const millis = performance.now() - start
  const taken: Taken = {
    question,
    place: visitor.place,
    millis,
    touched: (yield* touched) - before,
    isAnswered: Exit.isSuccess(exit)
  }
  return taken
})

/** Sends queries to the service over one connection. */
export const askOverHttp = (url: string) => {
  const connection = new HttpConnection(new URL(url))
  const send = (request: string) =>
    Effect.callback<{ readonly status: number | null; readonly millis: number }>((resume) => {
      const start = performance.now()
      connection.send(request, (status) => resume(Effect.succeed({ status, millis: performance.now() - start })))
    })
  return Effect.fnUntraced(function* (visitor: Visitor, question: Question) {
    const parameters = parametersOf(question, yield* inside(visitor)(cursorOf(question)))
    const { millis, status } = yield* send(
      `GET /api/v1/contacts?limit=50&${parameters} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${visitor.accessToken}\r\nX-Organization-Id: ${visitor.organizationId}\r\n\r\n`
    )
    const taken: Taken = { question, place: visitor.place, millis, touched: null, isAnswered: status === 200 }
    return taken
  })
}
