import { Effect, Predicate, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { problemJson } from "../api/problem.ts"
import { problems } from "../api/problems.ts"

type Problems = typeof problems

/** Error with a public form. */
export type Problem = Problems[keyof Problems]["Type"]

const encoderOf = (schema: Problems[keyof Problems]) => Schema.encodeUnknownEffect(Schema.toCodecJson(schema))

const encoders: ReadonlyMap<string, ReturnType<typeof encoderOf>> = new Map(
  Object.entries(problems).map(([tag, schema]) => [tag, encoderOf(schema)])
)

const asDocument = Schema.decodeUnknownEffect(Schema.Record(Schema.String, Schema.Unknown))

/** Whether an error has a public form. */
export const isProblem = (error: unknown): error is Problem =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" && encoders.has(error._tag)

export const renderProblem = (problem: Problem): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const encode = encoders.get(problem._tag)
  return encode === undefined
    ? Effect.die(problem)
    : encode(problem).pipe(
        Effect.flatMap(asDocument),
        Effect.map((body) =>
          HttpServerResponse.jsonUnsafe(body, { status: Number(body.status), contentType: problemJson })
        ),
        Effect.catchTag("SchemaError", Effect.die)
      )
}
