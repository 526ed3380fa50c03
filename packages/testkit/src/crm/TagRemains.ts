import { TagRemains } from "@parley/domain"
import { Effect, Layer } from "effect"

/** Here a tag that is removed leaves nothing behind. */
export const layer = Layer.succeed(TagRemains, TagRemains.of({ sweep: Effect.succeed(0) }))
