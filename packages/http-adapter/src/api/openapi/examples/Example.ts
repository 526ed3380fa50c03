import { CurrentRequest, type UseCaseDeclaration } from "@parley/domain"
import { Effect, Schema } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { requestId } from "./samples.ts"

/** Public part of a use case. */
export interface Declared {
  readonly declaration: UseCaseDeclaration
}

type RequestOf<Endpoint extends HttpApiEndpoint.ConstraintRequest> = [Endpoint["~Payload"]] extends [never]
  ? {}
  : { readonly request: Endpoint["~Payload"]["Type"] }

type AnswerOf<Endpoint extends HttpApiEndpoint.ConstraintRequest> = [Endpoint["~Success"]["Type"]] extends [void]
  ? {}
  : {
      readonly answer: Endpoint["~Success"]["Type"]
      /** Other answers, if there are several kinds. */
      readonly others?: ReadonlyArray<Endpoint["~Success"]["Type"]>
    }

/** Example of an endpoint: its use case, a request and an answer. */
export type ExampleOf<Endpoint extends HttpApiEndpoint.ConstraintRequest> = {
  readonly runs: Declared | null
} & RequestOf<Endpoint> &
  AnswerOf<Endpoint>

/** An example for every endpoint of an area: leaving one out does not compile. */
export type ExamplesOf<Group extends HttpApiGroup.Constraint> = Group["endpoints"] extends infer Endpoints extends
  Readonly<Record<string, HttpApiEndpoint.ConstraintRequest>>
  ? { readonly [Name in keyof Endpoints]: ExampleOf<Endpoints[Name]> }
  : never

const asJson = Schema.decodeUnknownEffect(Schema.Json)

/** An example as it goes over the wire, written by the contract's own schema. */
export const encodeExample = (schema: Schema.Codec<unknown, unknown>, value: unknown): Schema.Json =>
  Schema.encodeUnknownEffect(Schema.toCodecJson(schema))(value).pipe(
    Effect.flatMap(asJson),
    Effect.provideService(CurrentRequest, { id: requestId }),
    Effect.runSync
  )
