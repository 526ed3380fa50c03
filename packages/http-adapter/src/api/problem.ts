import { problemCode, CurrentRequest } from "@parley/domain/kernel"
import { Effect, Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** The media type of every error. */
export const problemJson = "application/problem+json"

/** URL of the documentation of a kind of problem. */
const typeOf = (code: string): string => `/docs#problem/${code}`

/** Fields of every problem: RFC 9457, with a stable code and the id of the request. */
export interface ProblemJson {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly requestId: string | null
}

interface TaggedFailure {
  readonly _tag: string
  readonly message: string
}

type Failure<Self, Fields extends Schema.Struct.Fields> = Schema.Top & {
  readonly Type: Self
  readonly identifier: string
  readonly fields: Fields
  new (props: never): Self
}

/** Name of a field in problems, where the name already has another meaning. */
type Names<Fields> = { readonly [Name in Extract<keyof Fields, keyof ProblemJson>]: string }

/** The fields that have names there, under those names. */
const under = (names: ReadonlyMap<string, string>) => (source: object) =>
  Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => {
      const other = names.get(name)
      return other === undefined ? [] : [[other, value]]
    })
  )

/**
 * JSON form of a domain error: a problem document with the error's fields next to the standard fields. The client
 * decodes it into the domain error.
 */
export const problem = <Self extends TaggedFailure, Fields extends Schema.Struct.Fields>(
  error: Failure<Self, Fields>,
  status: number,
  title: string,
  ...renamed: [Extract<keyof Fields, keyof ProblemJson>] extends [never] ? [] : [Names<Fields>]
): Schema.Codec<Self, ProblemJson> => {
  const code = problemCode(error.identifier)
  const { _tag: _, ...fields } = error.fields
  const [others = {}]: ReadonlyArray<Readonly<Record<string, string>>> = renamed
  const names = Object.keys(fields).map((name) => [name, others[name] ?? name] as const)
  const outside = under(new Map(names))
  const inside = under(new Map(names.map(([name, other]) => [other, name])))
  const wire = Schema.Struct({
    type: Schema.Literal(typeOf(code)),
    title: Schema.Literal(title),
    status: Schema.Literal(status),
    detail: Schema.String,
    code: Schema.Literal(code),
    requestId: Schema.NullOr(Schema.String),
    ...outside(fields)
  }).annotate({ identifier: `${error.identifier}Problem`, title })
  const codec = wire.pipe(
    Schema.decodeTo(Schema.toType(error), {
      decode: SchemaGetter.transform((json: object) => new error(inside(json) as never) as never),
      encode: SchemaGetter.transformEffect((failure: Self) =>
        Effect.map(
          CurrentRequest,
          ({ id }) =>
            ({
              type: typeOf(code),
              title,
              status,
              detail: failure.message,
              code,
              requestId: id,
              ...outside(failure)
            }) as never
        )
      ) as never
    })
  )
  return codec.pipe(HttpApiSchema.status(status), HttpApiSchema.asJson({ contentType: problemJson })) as never
}
