import { Effect } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { createHmac } from "node:crypto"
import { AnswersDiffer } from "../p1/sameAnswers.ts"
import type { RunningServer } from "../servers/launch.ts"
import { filled, idOf, type Template } from "./signed.ts"

const post = ({ url }: RunningServer, path: string, body: string, signature: string | null) =>
  Effect.flatMap(HttpClient.HttpClient, (client) =>
    client.execute(
      HttpClientRequest.post(`${url}${path}`).pipe(
        HttpClientRequest.bodyText(body, "application/json"),
        HttpClientRequest.setHeaders(signature === null ? {} : { "x-hub-signature-256": `sha256=${signature}` })
      )
    )
  )

const sign = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("hex")

/**
 * Verifies that the server accepts signed deliveries, once, for the right organization, and refuses all others. No worker may process deliveries
 * during the check. Returns the body as stored.
 */
export const requireSignedOnly = Effect.fnUntraced(function* (
  server: RunningServer,
  template: Template,
  number: number
) {
  const sql = yield* SqlClient.SqlClient
  const { line } = template
  const differ = (problem: string) => new AnswersDiffer({ server: `parley, ${line.path}`, problem })
  const body = filled(template, idOf(number))
  const good = sign(line.appSecret, body)
  const cases: ReadonlyArray<readonly [string, number, string, string | null]> = [
    ["an unsigned delivery", 401, body, null],
    ["a delivery with a foreign signature", 401, body, sign("another secret", body)],
    ["a delivery that was changed after it was signed", 401, filled(template, idOf(number + 1)), good],
    ["a signed delivery", 200, body, good],
    ["the same delivery again", 200, body, good]
  ]
  for (const [what, expected, input, signature] of cases) {
    const { status } = yield* post(server, line.path, input, signature)
    if (status !== expected) return yield* differ(`${what} is answered with ${status}, not ${expected}.`)
  }
  const stored = yield* sql<{ readonly organizationId: string; readonly body: Uint8Array }>`
    SELECT organization_id AS "organizationId", body FROM inbound_deliveries`
  const [row] = stored
  if (row === undefined || stored.length > 1) return yield* differ(`${stored.length} deliveries are stored, not one.`)
  if (row.organizationId !== line.organizationId) return yield* differ("It is stored for another organization.")
  const kept = Buffer.from(row.body).toString()
  if (kept !== body) return yield* differ(`It is stored as something else: ${kept}`)
  yield* sql`TRUNCATE inbound_deliveries`
  return kept
})
