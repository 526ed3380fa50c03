import { writeCsv } from "@parley/domain"
import { Effect, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type AnswerFormat, answerFormat, mediaTypes } from "./answerFormat.ts"
import type { Look } from "./charts/drawChart.ts"
import type { Table } from "./tables.ts"

/** How an answer is asked for. */
interface Asked {
  readonly format?: AnswerFormat
  readonly width?: number
  readonly height?: number
  readonly theme?: Look["theme"]
}

/** How an answer is written that is not JSON. */
interface Ways<Answer> {
  /** What a file of it is called. */
  readonly name: string
  readonly table: (answer: Answer) => Table
  readonly chart: (answer: Answer, look: Look) => string
}

/** A chart is coloured by a style of its own, and runs and loads nothing. */
const chartPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Writes an answer as it is asked for; as JSON by the contract. */
export const asAsked =
  <Answer>(
    { headers }: HttpServerRequest.HttpServerRequest,
    { format, height = 480, theme = "light", width = 960 }: Asked,
    ways: Ways<Answer>
  ) =>
  (answer: Answer): Effect.Effect<Answer | HttpServerResponse.HttpServerResponse> => {
    const chosen = answerFormat(format, headers.accept)
    if (chosen === "json") return Effect.succeed(answer)
    const contentType = `${mediaTypes[chosen]}; charset=utf-8`
    if (chosen === "svg") {
      return Effect.succeed(
        HttpServerResponse.text(ways.chart(answer, { width, height, theme }), {
          contentType,
          headers: { "content-security-policy": chartPolicy, vary: "accept" }
        })
      )
    }
    const { header, rows } = ways.table(answer)
    return Stream.fromIterable(rows).pipe(
      writeCsv(header),
      Stream.runCollect,
      Effect.map((pieces) =>
        HttpServerResponse.uint8Array(Buffer.concat(Array.from(pieces)), {
          contentType,
          headers: { "content-disposition": `attachment; filename="${ways.name}.csv"`, vary: "accept" }
        })
      )
    )
  }
