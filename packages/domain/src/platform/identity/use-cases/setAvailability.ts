import { Effect, Equal } from "effect"
import { record } from "../../audit/index.ts"
import { transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Availability, type AvailabilityInput } from "../Availability.ts"
import { Availabilities } from "../Availabilities.ts"
import type { MemberId } from "../Member.ts"
import { requireOwn } from "../requireOwn.ts"

/** Says whether a member takes conversations that are handed out by themselves, and how many. */
export const setAvailability = useCase(
  "identity.setAvailability",
  { access: { permission: "members.read" } },
  Effect.fnUntraced(function* (id: MemberId, { capacity, status }: AvailabilityInput) {
    yield* requireOwn(id)
    const availabilities = yield* Availabilities
    const before = yield* availabilities.lock(id)
    const after = new Availability({ status, capacity: capacity ?? before.capacity })
    if (Equal.equals(before, after)) return before
    yield* availabilities.save(id, after)
    yield* record("member.availability_changed", { kind: "member", id }, { before: { ...before }, after: { ...after } })
    yield* appendEvent({ type: "member.availability_changed", memberId: id })
    return after
  }, transact)
)
