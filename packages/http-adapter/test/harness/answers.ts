import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { problemJson } from "../../src/api/problem.ts"
import type { Answer } from "./Http.ts"

/** The value at the path of names and indexes; `undefined` without one. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown => {
  let here = value
  for (const name of path) {
    if (typeof here !== "object" || here === null) return undefined
    here = Object.entries(here).find(([key]) => key === String(name))?.[1]
  }
  return here
}

/** Retries while the service is too busy and has changed nothing, because many requests run concurrently on few cores. */
export const whenNotBusy = <E, R>(ask: Effect.Effect<Answer, E, R>) =>
  Effect.repeat(ask, { while: ({ body, status }) => status === 503 && at(body, "outcomeUnknown") === false })

/** The text at the path of the answer, which must be there. */
export const textAt = (answer: Answer, ...path: ReadonlyArray<string | number>): string => {
  const text = at(answer.body, ...path)
  assert.isString(text, `Expected a text at ${path.join(".")} in ${answer.text}`)
  return String(text)
}

/** The rows of a page. */
export const rowsOf = (answer: Answer): ReadonlyArray<unknown> => {
  assert.strictEqual(answer.status, 200, answer.text)
  const { data } = answer.body
  assert.isArray(data)
  return Array.isArray(data) ? data : []
}

/** The ids of the rows of a page. */
export const idsOf = (answer: Answer): ReadonlyArray<string> => rowsOf(answer).map((row) => String(at(row, "id")))

/** The pointers of a validation problem, sorted. */
export const pointersOf = (answer: Answer): ReadonlyArray<string> => {
  const { errors } = answer.body
  return Array.isArray(errors) ? errors.map((fault) => String(at(fault, "pointer"))).toSorted() : []
}

/** Error messages of a validation problem. */
export const messagesOf = (answer: Answer): ReadonlyArray<string> => {
  const { errors } = answer.body
  return Array.isArray(errors) ? errors.map((fault) => String(at(fault, "message"))) : []
}

/** Asserts that the answer has this status, and shows its body when it has not. */
export const assertStatus = (answer: Answer, status: number) => assert.strictEqual(answer.status, status, answer.text)

/** Asserts that the answer is this problem, with everything that every problem has. */
export const assertProblem = (answer: Answer, status: number, code: string) => {
  assert.deepStrictEqual([answer.status, answer.body.code], [status, code], answer.text)
  assert.strictEqual(answer.headers.get("content-type"), problemJson)
  assert.strictEqual(answer.body.status, status)
  assert.strictEqual(answer.body.type, `/docs#problem/${code}`)
  assert.isString(answer.body.title)
  assert.isString(answer.body.detail)
  assert.strictEqual(answer.body.requestId, answer.headers.get("x-request-id"))
}

const perRequest = /"requestId":"[^"]*"/

/** The answer without what belongs to one request only, for comparing two. */
export const withoutRequest = (answer: Answer) => ({
  status: answer.status,
  text: answer.text.replace(perRequest, ""),
  headers: Array.from(answer.headers)
    .filter(([name]) => name !== "x-request-id" && name !== "ratelimit" && name !== "date")
    .toSorted()
})
