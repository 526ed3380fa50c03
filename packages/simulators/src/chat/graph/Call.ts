import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { reset, truncated } from "../../connections.ts"
import { type Fields, objectAt, refuse } from "../checks.ts"
import { isRefusal, type Refusal, refusal, refusalBody } from "../failures.ts"
import type { CallKind, Misbehaviour, Script } from "../Misbehaviour.ts"

export type Request = HttpServerRequest.HttpServerRequest
export type Response = HttpServerResponse.HttpServerResponse

/** A call of the provider's interface: `/{id}/{edge}/{sub}`. */
export interface Call {
  readonly request: Request
  readonly id: string
  readonly edge: string
  readonly sub: string
  readonly query: URLSearchParams
  readonly origin: string
  /** Version in the path, as it was written: `v27.0`, or empty. */
  readonly version: string
}

export type Handler = (call: Call) => Effect.Effect<Response>

export const success = { success: true }

/** Answer to a call that succeeded in part. */
export class PartialSuccess {
  readonly answer: object
  constructor(answer: object) {
    this.answer = answer
  }
}

export const answerOf = (result: object | Refusal): Response => {
  if (result instanceof PartialSuccess) return HttpServerResponse.jsonUnsafe(result.answer, { status: 206 })
  return isRefusal(result)
    ? HttpServerResponse.jsonUnsafe(refusalBody(result), { status: result.status })
    : HttpServerResponse.jsonUnsafe(result)
}

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return refuse(100, "The request is not valid JSON.")
  }
}

const formFields = (text: string): Fields => Object.fromEntries(new URLSearchParams(text))

/** The body of a call as sent. */
export const bodyOf = ({ request }: Call): Effect.Effect<unknown> => Effect.map(Effect.orDie(request.text), parsed)

/** Parameters from the query and from the body, which is JSON, a form, or empty. */
export const parametersOf = ({ query, request }: Call): Effect.Effect<Fields> =>
  Effect.map(Effect.orDie(request.text), (text) => {
    const inQuery: Fields = Object.fromEntries(query)
    if (text.trim() === "") return inQuery
    const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true
    return { ...inQuery, ...(isForm ? formFields(text) : objectAt(parsed(text), "request")) }
  })

/** Executes a call, or the scripted fault instead. */
export const scripted = (
  request: Request,
  fault: Misbehaviour["what"] | null,
  perform: (fault: Misbehaviour["what"] | null) => object | Refusal
): Effect.Effect<Response> => {
  const answered = Effect.sync(() => answerOf(perform(fault)))
  switch (fault?.kind) {
    case "latency":
      return Effect.delay(answered, fault.millis)
    case "error":
      return Effect.succeed(answerOf(refusal(fault.code, fault.details ?? "This was asked for.", fault.status)))
    case "raw": {
      const { body, headers, status } = fault
      const answer = Effect.succeed(HttpServerResponse.text(body, { status, headers: headers ?? {} }))
      return fault.done === true ? Effect.andThen(answered, answer) : answer
    }
    case "late":
      return Effect.flatMap(answered, (answer) => Effect.delay(Effect.succeed(answer), fault.millis))
    case "hang":
      return fault.done === false ? Effect.never : Effect.andThen(answered, Effect.never)
    case "reset":
      return fault.done === false ? reset(request) : Effect.andThen(answered, reset(request))
    case "truncate":
      return Effect.andThen(answered, truncated(request, '{"messaging_pr'))
    default:
      return answered
  }
}

/** Binds calls to the scripted faults of their kind. */
export const makeScripted =
  (script: Script) =>
  (kind: CallKind, { request }: Call, perform: () => object | Refusal): Effect.Effect<Response> =>
    scripted(request, script.take(kind, []), perform)
export type Scripted = ReturnType<typeof makeScripted>
