import { Schema } from "effect"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u

/** A lowercase UUID. Each kind of resource brands it, so that no other kind's id can stand in. */
export const Uuid = Schema.String.check(Schema.isPattern(uuid, { message: "Expected a lowercase UUID" })).annotate({
  format: "uuid"
})
