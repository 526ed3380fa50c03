import { Effect, Schema } from "effect"

/** Whether somebody takes conversations that are handed out by themselves. */
export const AvailabilityStatus = Schema.Literals(["available", "away"])
export type AvailabilityStatus = typeof AvailabilityStatus.Type

const Capacity = Schema.Number.check(
  Schema.isInt({ message: "Expected a whole number" }),
  Schema.isBetween({ minimum: 1, maximum: 1000 }, { message: "Expected a whole number from 1 to 1000" })
)

/** Whether a member takes conversations that are handed out by themselves, and how many. */
export class Availability extends Schema.Class<Availability>("MemberAvailability")({
  status: AvailabilityStatus.pipe(Schema.withConstructorDefault(Effect.succeed("available" as const))),
  capacity: Capacity.annotateKey({
    description: "With so many open conversations a member is handed no more."
  }).pipe(Schema.withConstructorDefault(Effect.succeed(20)))
}) {}

/** What is said of a member's availability; an absent capacity stays. */
export const AvailabilityInput = Schema.Struct({
  status: AvailabilityStatus,
  capacity: Schema.optionalKey(Capacity)
}).annotate({ identifier: "MemberAvailabilityInput" })
export type AvailabilityInput = typeof AvailabilityInput.Type
