import {
  type ValidationIssue,
  toValidationIssues,
  isPlainJson,
  maxValidationIssues,
  NotFound,
  toJsonPointer,
  readJson,
  ValidationFailed
} from "@parley/domain/kernel"
import { Effect, type SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import { isUtf8 } from "node:buffer"
import { PayloadTooLarge } from "../api/problems.ts"
import { type RequestPart, requestParts } from "./requestParts.ts"

/** Names of the fields of each request part. */
const nouns = { Params: "part of the path", Headers: "header", Query: "parameter", Payload: "field" } as const

/** Returns the first issues of a request part. */
export const faultsOf = (issue: SchemaIssue.Issue, input: unknown, part: RequestPart): ReadonlyArray<ValidationIssue> =>
  toValidationIssues(issue, input, {
    noun: nouns[part],
    repeated: part === "Query" ? "Expected this parameter only once" : null
  }).map(({ message, pointer }) => ({ pointer: requestParts[part] + pointer, message }))

/** Returns the JSON pointer to a place in a request part. */
const pointerOf = (part: RequestPart, path: ReadonlyArray<PropertyKey>): string =>
  requestParts[part] + toJsonPointer(path)

const faultsOfUrlIsUtf8 = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const isAscii = (text: string) => /^[\x21-\x7e]*$/u.test(text)

const expected = "Expected percent-encoded UTF-8"

const nameOf = (written: string) => {
  const name = written.replaceAll("+", " ")
  return faultsOfUrlIsUtf8(name) ? decodeURIComponent(name) : name
}

/** Finds query parameters that cannot be decoded. Without decoding, they would have a different meaning. */
export const faultsOfQuery = (url: string): ReadonlyArray<ValidationIssue> => {
  const start = url.indexOf("?")
  if (start === -1) return []
  const query = url.slice(start + 1)
  if (!query.includes("%") && isAscii(query)) return []
  return query.split("&").flatMap((pair) => {
    if (isAscii(pair) && faultsOfUrlIsUtf8(pair)) return []
    const [name = ""] = pair.split("=", 1)
    return [{ pointer: pointerOf("Query", [nameOf(name)]), message: expected }]
  })
}

/** Reports every query parameter of an endpoint without parameters. */
export const surplusOfQuery = (url: string): ReadonlyArray<ValidationIssue> => {
  const start = url.indexOf("?")
  if (start === -1) return []
  const pairs = url.slice(start + 1).split("&", maxValidationIssues)
  const names = new Set(pairs.map((pair) => nameOf(pair.split("=", 1)[0] ?? "")))
  names.delete("")
  return Array.from(names, (name) => ({
    pointer: pointerOf("Query", [name]),
    message: faultsOfUrlIsUtf8(name) ? "This parameter does not exist" : expected
  }))
}

/** Whether a path can be decoded. */
export const isPathDecodable = (path: string): boolean => isAscii(path) && faultsOfUrlIsUtf8(path)

export const faultOfPath: ValidationIssue = { pointer: pointerOf("Params", []), message: expected }

const charset = /;\s*charset\s*=\s*"?(?<name>[^\s;"]*)/iu

/** Whether the request declares a UTF-8 body. JSON permits no other charset. */
export const readsCharset = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const type = headers["content-type"]
  if (type === undefined || !type.includes(";")) return true
  const name = charset.exec(type)?.groups?.name
  return name === undefined || /^utf-?8$/iu.test(name)
}

const unexpected: ReadonlyArray<ValidationIssue> = [{ pointer: pointerOf("Payload", []), message: "Expected no body" }]

const surplusOf = (value: unknown): ReadonlyArray<ValidationIssue> => {
  if (value === null) return []
  if (typeof value !== "object" || Array.isArray(value)) return unexpected
  return Object.keys(value)
    .slice(0, maxValidationIssues)
    .map((name) => ({ pointer: pointerOf("Payload", [name]), message: "This field does not exist" }))
}

/**
 * Returns the read errors of the body of an endpoint without a body; else an issue for every field, because a caller expects an effect of each
 * field. An empty object has no field.
 */
export const surplusOfBody = (faults: ReadonlyArray<ValidationIssue>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) =>
    Effect.map(Effect.catchTag(text, "HttpServerError", Effect.die), (body) => {
      if (body === "") return []
      if (faults.length > 0) return faults
      const reading = readJson(body)
      return "faults" in reading ? unexpected : surplusOf(reading.value)
    })
  )

/** Body after reading. */
export interface TakenBody {
  /** Faults that no schema can detect, because parsing changes the text. */
  readonly faults: ReadonlyArray<ValidationIssue>
  readonly isJson: boolean
  /** Request with the body as a parsable text. */
  readonly request: HttpServerRequest.HttpServerRequest
}

const replacement = "\uFFFD"

const oneFault = (message: string): ReadonlyArray<ValidationIssue> => [{ pointer: pointerOf("Payload", []), message }]

const withText = (request: HttpServerRequest.HttpServerRequest, value: unknown): HttpServerRequest.HttpServerRequest =>
  Object.create(request, { text: { value: Effect.succeed(JSON.stringify(value)) } })

const inspect = (request: HttpServerRequest.HttpServerRequest, text: string): TakenBody => {
  if (isPlainJson(text)) return { faults: [], isJson: true, request }
  const reading = readJson(text)
  if (!("faults" in reading)) return { faults: [], isJson: true, request: withText(request, reading.value) }
  const [first] = reading.faults
  return first === undefined || first.path.length > 0
    ? {
        faults: reading.faults.map(({ message, path }) => ({ pointer: pointerOf("Payload", path), message })),
        isJson: true,
        request
      }
    : { faults: oneFault(first.message), isJson: false, request }
}

/** Reads the body once, within its size limit, before all other steps. */
export const takeBody =
  (maxBodyBytes: number) =>
  (request: HttpServerRequest.HttpServerRequest): Effect.Effect<TakenBody, PayloadTooLarge> =>
    request.text.pipe(
      Effect.flatMap((text) =>
        // Invalid UTF-8 decodes to this character, which a valid text can contain too.
        text.includes(replacement)
          ? Effect.map(request.arrayBuffer, (bytes) =>
              isUtf8(bytes)
                ? inspect(request, text)
                : { faults: oneFault("Expected a body in UTF-8"), isJson: false, request }
            )
          : Effect.succeed(inspect(request, text))
      ),
      Effect.catchTag("HttpServerError", (error) =>
        error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
          ? Effect.fail(new PayloadTooLarge({ max: maxBodyBytes }))
          : Effect.die(error)
      )
    )

const moved = (error: unknown, to: (pointer: string) => string): unknown => {
  if (error instanceof ValidationFailed) {
    return new ValidationFailed({
      errors: error.errors.map(({ message, pointer }) => ({ pointer: to(pointer), message }))
    })
  }
  if (error instanceof NotFound && error.pointer !== undefined) {
    return new NotFound({
      resource: error.resource,
      pointer: to(error.pointer),
      ...(error.by !== undefined && { by: error.by })
    })
  }
  return error
}

/** Translates pointers of use case errors to pointers into the request. */
export const withFaultPointers =
  (to: (pointer: string) => string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    // The translation keeps the type of each error.
    Effect.mapError(effect, (error) => moved(error, to) as E)
