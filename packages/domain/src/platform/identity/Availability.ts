import { Context, Effect, Schema } from "effect"
import {
  CurrentActor,
  hasPermission,
  type NotFound,
  PermissionDenied,
  type TenantScoped,
  type Transaction
} from "../../kernel/index.ts"
import { type MemberId, Members } from "./Member.ts"

/** Whether a member takes automatically assigned conversations. */
export const AvailabilityStatus = Schema.Literals(["available", "away"])
export type AvailabilityStatus = typeof AvailabilityStatus.Type

const Capacity = Schema.Number.check(
  Schema.isInt({ message: "Expected a whole number" }),
  Schema.isBetween({ minimum: 1, maximum: 1000 }, { message: "Expected a whole number from 1 to 1000" })
)

/** Availability of a member for automatically assigned conversations, and the maximum number. */
export class Availability extends Schema.Class<Availability>("MemberAvailability")({
  status: AvailabilityStatus.pipe(Schema.withConstructorDefault(Effect.succeed("available" as const))),
  capacity: Capacity.annotateKey({
    description: "Maximum number of open conversations for automatic assignment."
  }).pipe(Schema.withConstructorDefault(Effect.succeed(20)))
}) {}

/** Availability to set; an absent capacity stays unchanged. */
export const AvailabilityInput = Schema.Struct({
  status: AvailabilityStatus,
  capacity: Schema.optionalKey(Capacity)
}).annotate({ identifier: "MemberAvailabilityInput" })
export type AvailabilityInput = typeof AvailabilityInput.Type

/** Availability of the members. It is deleted with the member. */
export class Availabilities extends Context.Service<
  Availabilities,
  TenantScoped<{
    readonly get: (id: MemberId) => Effect.Effect<Availability, NotFound>
    /** Like `get`, and locks it until this unit of work ends. */
    readonly lock: (id: MemberId) => Effect.Effect<Availability, NotFound, Transaction>
    readonly save: (id: MemberId, availability: Availability) => Effect.Effect<void, NotFound, Transaction>
  }>
>()("@parley/domain/platform/identity/Availabilities") {}

/** Only a manager of members can change the availability of another member. */
export const requireSelfOrManager = Effect.fnUntraced(function* (id: MemberId) {
  const { userId } = yield* (yield* Members).get(id)
  const actor = yield* CurrentActor
  if (actor.kind === "user" && actor.userId === userId) return
  if (!hasPermission(actor, "members.manage")) return yield* new PermissionDenied({ permission: "members.manage" })
})
