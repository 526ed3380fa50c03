import { type Fault, readJson } from "@parley/domain"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { mostFaults } from "./faultsOf.ts"
import { pointerOf } from "./pointerOf.ts"

const unexpected: ReadonlyArray<Fault> = [{ pointer: pointerOf("Payload", []), message: "Expected no body" }]

const surplusOf = (value: unknown): ReadonlyArray<Fault> => {
  if (value === null) return []
  if (typeof value !== "object" || Array.isArray(value)) return unexpected
  return Object.keys(value)
    .slice(0, mostFaults)
    .map((name) => ({ pointer: pointerOf("Payload", [name]), message: "There is no such field" }))
}

/**
 * The faults of the body that reading it has found, for an endpoint without a body; else every field of it, because a caller expects an effect of each
 * field. An empty object has no field.
 */
export const surplusOfBody = (faults: ReadonlyArray<Fault>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) =>
    Effect.map(Effect.catchTag(text, "HttpServerError", Effect.die), (body) => {
      if (body === "") return []
      if (faults.length > 0) return faults
      const reading = readJson(body)
      return "faults" in reading ? unexpected : surplusOf(reading.value)
    })
  )
