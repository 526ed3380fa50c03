import { assert } from "@effect/vitest"
import { Schema } from "effect"
import type { Answer } from "../harness/Http.ts"
import { at, codesOf, type Described, entriesAt } from "./document.ts"

const isJson = (answer: Answer) => /\bjson\b/u.test(answer.headers.get("content-type") ?? "")

/** Fails unless the document declares the answer: its status, its headers, the code of a problem and the fields of a success. */
export const assertDeclared = ({ operation, successes }: Described, answer: Answer, what: string) => {
  const response = at(operation, "responses", String(answer.status))
  assert.isDefined(response, what)
  for (const [name, header] of entriesAt(response, "headers")) {
    if (at(header, "required") === true) assert.isNotNull(answer.headers.get(name), `${what} lacks ${name}`)
  }
  const names = new Set(entriesAt(response, "headers").map(([name]) => name.toLowerCase()))
  for (const name of ["ratelimit", "ratelimit-policy", "retry-after", "www-authenticate", "idempotency-replayed"]) {
    if (answer.headers.get(name) !== null) assert.isTrue(names.has(name), `${what} has ${name}`)
  }
  if (answer.status >= 400) {
    assert.include(codesOf(response), answer.body.code, what)
    return
  }
  const success = successes.get(String(answer.status))
  if (success === undefined || answer.text === "" || !isJson(answer)) return
  Schema.decodeSync(success as Schema.Codec<unknown>, { onExcessProperty: "error" })(answer.body)
}
