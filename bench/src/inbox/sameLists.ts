import { Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { SqlClient, type Statement } from "effect/sql"
import { userIdAt, type Visitor } from "../crm/visitors.ts"
import { AnswersDiffer, headersOf } from "../p1/sameAnswers.ts"
import type { ListQuestion } from "./questions.ts"

const Answer = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) })
const decode = Schema.decodeUnknownEffect(Answer)

/** The query as plain conditions on rows: slow and simple. */
const conditionsOf = (sql: SqlClient.SqlClient, { request }: ListQuestion, place: number) => {
  const { assignee, chatAccountId, contactId, label, priority, q, status, unread } = request
  const words = q === undefined ? [] : q.toLowerCase().split(" ")
  const input = words.map((word) => sql`m.text ~* ${`\\m${word}`}`)
  const user = assignee === "me" ? userIdAt(place, 0) : assignee
  const conditions: ReadonlyArray<Statement.Fragment | null> = [
    status === undefined ? null : sql`c.status = ANY(${Array.from(status)}::text[])`,
    user === undefined ? null : user === "none" ? sql`c.assignee_id IS NULL` : sql`c.assignee_id = ${user}::uuid`,
    unread === undefined ? null : sql`(c.inbound_count > c.read_count) = ${unread}::boolean`,
    priority === undefined ? null : sql`c.priority = ANY(${Array.from(priority)}::text[])`,
    label === undefined ? null : sql`c.labels && ${Array.from(label)}::text[]`,
    chatAccountId === undefined ? null : sql`c.chat_account_id = ${chatAccountId}::uuid`,
    contactId === undefined ? null : sql`c.contact_id = ${contactId}::uuid`,
    input.length === 0
      ? null
      : sql`EXISTS (SELECT FROM messages AS m WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id
          AND ${sql.and(input)})`
  ]
  return conditions.filter((condition) => condition !== null)
}

const expected = Effect.fnUntraced(function* (visitor: Visitor, question: ListQuestion) {
  const sql = yield* SqlClient.SqlClient
  const { after, sort } = question
  const key = sort.endsWith("createdAt") ? sql`c.created_at` : sql`c.last_activity_at`
  const isDescending = sort.startsWith("-")
  const direction = sql.literal(isDescending ? "DESC" : "ASC")
  const beyond =
    after === null
      ? []
      : [sql`(${key}, c.id) ${sql.literal(isDescending ? "<" : ">")} (${after[0]}::timestamptz, ${after[1]}::uuid)`]
  const rows = yield* sql<{ readonly id: string }>`
    SELECT c.id FROM conversations AS c
    WHERE ${sql.and([sql`c.organization_id = ${visitor.organizationId}`, ...beyond, ...conditionsOf(sql, question, visitor.place)])}
    ORDER BY ${key} ${direction}, c.id ${direction} LIMIT 50`.unprepared
  return rows.map(({ id }) => id)
})

/** Fails unless the answer of the service equals the result of the plain conditions. */
export const requireSameList = Effect.fnUntraced(function* (
  url: string,
  path: string,
  visitor: Visitor,
  question: ListQuestion
) {
  const client = yield* HttpClient.HttpClient
  const answer = yield* client.execute(
    HttpClientRequest.get(`${url}${path}`).pipe(HttpClientRequest.setHeaders(headersOf(visitor)))
  )
  const differ = (problem: string) => new AnswersDiffer({ server: "parley", problem: `${question.name}: ${problem}` })
  if (answer.status !== 200) return yield* differ(`It is answered with ${answer.status}.`)
  const { data } = yield* Effect.mapError(Effect.flatMap(answer.json, decode), (error) => differ(error.message))
  const [found, right] = [data.map(({ id }) => id), yield* expected(visitor, question)]
  if (found.join(" ") !== right.join(" ")) {
    return yield* differ(`It is answered with ${found.length} conversations that are not the ${right.length} expected.`)
  }
  return right.length
})
