import { type Fault, isPlainJson, readJson } from "@parley/domain"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isUtf8 } from "node:buffer"
import { PayloadTooLarge } from "../../api/problems.ts"
import { pointerOf } from "./pointerOf.ts"

/** A body as it was taken in. */
export interface TakenBody {
  /** What no schema can see: what parsing would have changed. */
  readonly faults: ReadonlyArray<Fault>
  readonly isJson: boolean
  /** The request, with a text that the language reads as it is written. */
  readonly request: HttpServerRequest.HttpServerRequest
}

const replacement = "\uFFFD"

const oneFault = (message: string): ReadonlyArray<Fault> => [{ pointer: pointerOf("Payload", []), message }]

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

/** Reads the body once, within its bounds, before anything else looks at it. */
export const takeBody =
  (maxBodyBytes: number) =>
  (request: HttpServerRequest.HttpServerRequest): Effect.Effect<TakenBody, PayloadTooLarge> =>
    request.text.pipe(
      Effect.flatMap((text) =>
        // What is no UTF-8 is read as this character, which a text may also have of its own.
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
