import { CurrentRequest } from "@parley/domain/kernel"
import { Effect, Schema } from "effect"
import { requestId } from "../examples/samples.ts"

const asJson = Schema.decodeUnknownEffect(Schema.Json)

/** An example as it goes over the wire, written by the contract's own schema. */
export const encodeExample = (schema: Schema.Codec<unknown, unknown>, value: unknown): Schema.Json =>
  Schema.encodeUnknownEffect(Schema.toCodecJson(schema))(value).pipe(
    Effect.flatMap(asJson),
    Effect.provideService(CurrentRequest, { id: requestId }),
    Effect.runSync
  )
