import { type Fault, readJson } from "@parley/domain"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { mostFaults } from "./faultsOf.ts"
import { pointerOf } from "./pointerOf.ts"

const unexpected: ReadonlyArray<Fault> = [{ pointer: pointerOf("Payload", []), message: "Expected no body" }]

const faultsIn = (text: string): ReadonlyArray<Fault> => {
  if (text.trim() === "") return []
  const reading = readJson(text)
  if ("faults" in reading) return unexpected
  const { value } = reading
  if (value === null) return []
  if (typeof value !== "object" || Array.isArray(value)) return unexpected
  return Object.keys(value)
    .slice(0, mostFaults)
    .map((name) => ({ pointer: pointerOf("Payload", [name]), message: "There is no such field" }))
}

/** Every field of the body of an endpoint without one: a caller expects an effect of each field. An empty object has no field. */
export const surplusOfBody = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) =>
  Effect.map(Effect.catchTag(text, "HttpServerError", Effect.die), faultsIn)
)
